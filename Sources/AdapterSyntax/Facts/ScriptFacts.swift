/// The facts about a script that its source shows, without running it: for checks, editors and tools.
public struct ScriptFacts: Sendable {
    /// A function of any kind, anywhere in the script.
    public struct Function: Sendable, Hashable {
        /// Its own name, or that of the variable or property it is written into; `nil` when it has neither.
        public let name: String?
        /// The parameters as they are written; a pattern is one string.
        public let parameters: [String]
        public let range: SourceRange
        public let position: SourcePosition
        /// Index of the function around it; `nil` for one at the top level.
        public let outer: Int?
        /// True if a call from outside finds it: a function or a variable of the top level.
        public let isGlobal: Bool
        /// The names that it uses and that neither it nor anything else in the script declares.
        public let freeNames: Set<String>
        /// The variables of the top level that it uses.
        public let globalsRead: Set<String>
        /// The variables of the top level that it, or a function in it, assigns.
        public let globalsWritten: Set<String>
        /// The names of the top level, declared or not, whose values it, or a function in it, changes in place: by assigning
        /// to a property, or by a method such as `push`.
        public let globalsChanged: Set<String>
    }

    /// A variable of the top level.
    public struct Variable: Sendable, Hashable {
        public let name: String
        public let declaration: DeclarationKind
        public let range: SourceRange
        public let position: SourcePosition
        /// The assignments to it in functions: calls and polls then see each other's values.
        public let assignments: [Assignment]
    }

    public struct Assignment: Sendable, Hashable {
        /// The function's name.
        public let function: String?
        public let range: SourceRange
        public let position: SourcePosition
    }

    /// A call of a function of `WL.Server` or `MFP.Server`.
    public struct ServerCall: Sendable, Hashable {
        /// Without the path: `createEventSource`.
        public let name: String
        /// An argument that is a variable used only for it, as in `var input = {…}; invokeHttp(input)`, is replaced by the value
        /// of the variable.
        public let arguments: [LiteralValue]
        public let range: SourceRange
        public let position: SourcePosition
        /// The index of the function around it; `nil` at the top level.
        public let function: Int?
    }

    public let functions: [Function]
    public let variables: [Variable]
    public let serverCalls: [ServerCall]
    /// Every name that is used and not declared, with its ranges: the runtime must provide it.
    public let freeNames: [String: [SourceRange]]
    /// Names that functions assign without declaring them: they become variables of the top level unseen.
    public let undeclaredAssignments: [String: [SourceRange]]
    /// Names that the script asks `typeof` about, so that they may well be undefined.
    public let guardedNames: Set<String>

    public init(_ tree: SyntaxTree) {
        self = FactsReader(tree).read()
    }

    init(
        functions: [Function], variables: [Variable], serverCalls: [ServerCall], freeNames: [String: [SourceRange]],
        undeclaredAssignments: [String: [SourceRange]], guardedNames: Set<String>
    ) {
        self.functions = functions
        self.variables = variables
        self.serverCalls = serverCalls
        self.freeNames = freeNames
        self.undeclaredAssignments = undeclaredAssignments
        self.guardedNames = guardedNames
    }

    /// Every name that the script defines at the top level: any other name is certainly not a function.
    public var globalNames: Set<String> {
        globalFunctionNames.union(variables.map(\.name)).union(undeclaredAssignments.keys)
    }

    /// The names that a call from outside finds as functions. A variable may hold one, too, that was made elsewhere.
    public var globalFunctionNames: Set<String> {
        Set(functions.filter(\.isGlobal).compactMap(\.name))
    }
}

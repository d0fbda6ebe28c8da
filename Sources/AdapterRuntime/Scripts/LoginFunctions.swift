import AdapterSyntax

/// What a procedure does to log users in.
public enum LoginRole: Sendable, Hashable {
    case none
    /// Its script shows that it may call `WL.Server.setActiveUser` with a user.
    case login
    /// Another procedure of an adapter that logs users in, or that has the login function of a realm: a step of a login, perhaps.
    case step
}

/// A procedure's role in logins and its parameters, as read from the script.
public struct LoginTraits: Sendable, Hashable {
    public var role: LoginRole
    /// The names of the function's parameters, as the script has them; empty when they are unknown.
    public let parameters: [String]

    public init(role: LoginRole, parameters: [String]) {
        (self.role, self.parameters) = (role, parameters)
    }
}

/// Which functions of a script log users in, found by reading it.
///
/// A function counts when `setActiveUser` stands in it, or in a function or an object of the top level that it uses, directly or by
/// others. Calls with a literal `null`, which log out, do not count.
struct LoginFunctions: Sendable {
    private static let name = "setActiveUser"

    /// Whether every function may log users in: the script has the name where no function of the top level is found that uses it, or
    /// cannot be read.
    private var isUnreadable: Bool
    /// The names of the top level in which the call stands.
    private var setting: Set<String> = []
    /// By name of the top level, the others that it uses.
    private var uses: [String: Set<String>] = [:]
    /// The parameters of functions, by name.
    private var parameters: [String: [String]]

    /// A script that Lamplighter's own parser does not read.
    init(unreadable source: String) {
        isUnreadable = source.contains(Self.name)
        parameters = ParameterNames.read(source)
    }

    init(_ source: String, _ tree: SyntaxTree) {
        isUnreadable = false
        guard source.contains(Self.name) else {
            parameters = ParameterNames.read(source)
            return
        }
        parameters = [:]
        let facts = ScriptFacts(tree)
        let bytes = Array(source.utf8)
        func note(_ name: String, _ range: SourceRange) {
            guard range.end <= bytes.count, range.start <= range.end else { return }
            if Self.logsIn(String(decoding: bytes[range.start..<range.end], as: UTF8.self)) { setting.insert(name) }
            for function in facts.functions where range.contains(function.range) {
                uses[name, default: []].formUnion(function.globalsRead.union(function.freeNames))
            }
        }
        for function in facts.functions where function.isGlobal {
            guard let name = function.name else { continue }
            parameters[name] = function.parameters
            note(name, function.range)
        }
        for variable in facts.variables { note(variable.name, variable.range) }
        // What is left when these are taken out: methods that are assigned to members, for example.
        var rest = bytes
        let noted = facts.functions.filter(\.isGlobal).map(\.range) + facts.variables.map(\.range)
        for range in noted where range.end <= rest.count && range.start <= range.end {
            for index in range.start..<range.end { rest[index] = UInt8(ascii: " ") }
        }
        let comments = /\/\*(?:.|\n)*?\*\/|\/\/[^\n]*/
        isUnreadable = Self.logsIn(String(decoding: rest, as: UTF8.self).replacing(comments, with: " "))
    }

    private static func logsIn(_ text: String) -> Bool {
        text.contains(name)
            && text.replacing(/setActiveUser\s*\([^,()]*,\s*null\s*\)/, with: "").contains(name)
    }

    /// Returns the login traits of procedures, by name.
    ///
    /// - Parameter asking: the functions that realms name as their login functions.
    func traits(of procedures: [String], asking: Set<String>) -> [String: LoginTraits] {
        let roles = roles(of: procedures, asking: asking)
        return Dictionary(
            procedures.map { ($0, LoginTraits(role: roles[$0] ?? .none, parameters: parameters[$0] ?? [])) }
        ) { first, _ in first }
    }

    /// The roles of procedures; those without one are not in it.
    private func roles(of procedures: [String], asking: Set<String>) -> [String: LoginRole] {
        guard !isUnreadable else { return Dictionary(procedures.map { ($0, .login) }) { first, _ in first } }
        guard !setting.isEmpty || !asking.isEmpty else { return [:] }
        let roles = procedures.filter { !asking.contains($0) }.map { procedure in
            (procedure, reached(from: procedure).isDisjoint(with: setting) ? LoginRole.step : .login)
        }
        return Dictionary(roles) { first, _ in first }
    }

    private func reached(from name: String) -> Set<String> {
        var reached: Set = [name]
        var work = [name]
        while let next = work.popLast() {
            for other in uses[next] ?? [] where reached.insert(other).inserted { work.append(other) }
        }
        return reached
    }
}

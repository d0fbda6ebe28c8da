/// The kind of a node of a ``SyntaxTree``. The children are named in order; `?` may be ``NodeID/absent``, `*` any number.
public enum NodeKind: UInt8, Sendable, Hashable {
    case absent

    // MARK: Statements

    /// statement*; detail: ``FunctionTraits``, for "use strict"
    case program
    /// declarator*; detail: ``DeclarationKind``
    case variableDeclaration
    /// target, initializer?
    case declarator
    /// name?, parameters, body; detail: ``FunctionTraits``
    case functionDeclaration
    /// name?, superclass?, classBody
    case classDeclaration
    /// statement*
    case block
    case emptyStatement
    /// expression
    case expressionStatement
    /// test, then, else?
    case ifStatement
    /// initializer?, test?, update?, body
    case forStatement
    /// left, right, body; detail: ``LoopKind``. Left is a declaration or a target.
    case forInStatement
    /// test, body
    case whileStatement
    /// body, test
    case doWhileStatement
    /// label?
    case continueStatement
    /// label?
    case breakStatement
    /// value?
    case returnStatement
    /// object, body
    case withStatement
    /// subject, switchCase*
    case switchStatement
    /// test?, statement*
    case switchCase
    /// label, statement
    case labeledStatement
    /// value
    case throwStatement
    /// block, catchClause*, finally?
    case tryStatement
    /// parameter?, condition?, block
    case catchClause
    case debuggerStatement
    /// Rhino: declarator*, body
    case letBlock
    /// E4X: uri
    case defaultXMLNamespace

    // MARK: Functions and classes

    /// name?, parameters, body; detail: ``FunctionTraits``
    case functionExpression
    /// absent, parameters, body; detail: ``FunctionTraits``
    case arrowFunction
    /// A method, getter or setter, as a property's value. As functionExpression.
    case method
    /// pattern*
    case parameters
    /// statement*
    case functionBody
    /// name?, superclass?, classBody
    case classExpression
    /// classMember, staticBlock*
    case classBody
    /// key, value?; detail: ``PropertyTraits``
    case classMember
    /// statement*
    case staticBlock

    // MARK: Expressions

    case identifier, privateName, thisExpression, superExpression, nullLiteral, trueLiteral, falseLiteral
    case numberLiteral, bigIntLiteral, stringLiteral, regularExpression
    /// expression*, those that are substituted
    case templateLiteral
    /// function, templateLiteral
    case taggedTemplate
    /// element*
    case arrayLiteral
    /// An omitted element of an array.
    case hole
    /// property, spread*
    case objectLiteral
    /// key, value; detail: ``PropertyTraits``
    case property
    /// expression
    case spread
    /// operand; detail: operator
    case unary
    /// operand; detail: operator
    case prefixUpdate
    /// operand; detail: operator
    case postfixUpdate
    /// left, right; detail: operator
    case binary
    /// target, value; detail: operator
    case assignment
    /// test, then, else
    case conditional
    /// function, argument*; detail: 1 for `?.`
    case call
    /// class, argument*
    case new
    /// object, name; detail: 1 for `?.`
    case member
    /// object, key; detail: 1 for `?.`
    case index
    /// expression*
    case sequence
    /// value?; detail: 1 for `yield*`, 2 for Rhino's in a plain function
    case yield
    /// value
    case await
    /// `new.target` or `import.meta`
    case metaProperty
    /// argument*
    case importCall
    /// expression
    case parenthesized
    /// Rhino: declarator*, body
    case letExpression
    /// Rhino: body, comprehensionLoop*, condition?
    case arrayComprehension
    /// Rhino: body, comprehensionLoop*, condition?
    case generatorExpression
    /// Rhino: target, source; detail: ``LoopKind``
    case comprehensionLoop

    // MARK: Patterns

    /// pattern*
    case arrayPattern
    /// propertyPattern, restElement*
    case objectPattern
    /// key, pattern; detail: ``PropertyTraits``
    case propertyPattern
    /// target, default
    case assignmentPattern
    /// target
    case restElement

    // MARK: E4X

    /// xmlHole*
    case xmlLiteral
    /// expression; detail: ``XMLHole``
    case xmlHole
    /// object, selector
    case xmlAccess
    /// object, selector
    case xmlDescendants
    /// object, condition
    case xmlFilter
    /// selector
    case xmlAttribute
    /// namespace, local name
    case xmlQualified
    case xmlWildcard
    /// expression
    case xmlComputed
}

/// The keywords that declare variables.
public enum DeclarationKind: UInt8, Sendable, Hashable {
    case `var`, `let`, const
}

/// The values that a loop over an object yields.
public enum LoopKind: UInt8, Sendable, Hashable {
    case keys, values, each
}

/// The kind of a function.
public struct FunctionTraits: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let generator = Self(rawValue: 1)
    public static let async = Self(rawValue: 2)
    /// The body is an expression: that of an arrow function, or of Rhino's `function (x) x * x`.
    public static let expressionBody = Self(rawValue: 4)
    /// Rhino's: a plain function with `yield` in it.
    public static let plainGenerator = Self(rawValue: 8)
    /// The body begins with "use strict", or that of a function around it does.
    public static let strict = Self(rawValue: 16)
}

/// The kind of a property.
public struct PropertyTraits: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let computed = Self(rawValue: 1)
    public static let shorthand = Self(rawValue: 2)
    public static let getter = Self(rawValue: 4)
    public static let setter = Self(rawValue: 8)
    public static let method = Self(rawValue: 16)
    public static let isStatic = Self(rawValue: 32)
}

/// The position of an expression in an XML literal.
enum XMLHole: UInt8 {
    case text, attributeValue, name
}

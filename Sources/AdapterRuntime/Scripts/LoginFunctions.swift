import AdapterSyntax

/// What a procedure does to log users in.
public enum LoginRole: Sendable, Hashable {
    case none
    /// Its script shows that it may call `WL.Server.setActiveUser` with a user.
    case login
    /// It may call the login function of a realm, which asks to log in again: a step of a login, perhaps.
    case step
}

/// What is known of a procedure that may log users in, before it is called.
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

    /// Whether every function may log users in: the script cannot be read, and has the name in it.
    private let isUnreadable: Bool
    /// The names of the top level in which the call stands.
    private var setting: Set<String> = []
    /// By name of the top level, the others that it uses.
    private var uses: [String: Set<String>] = [:]
    /// The parameters of functions, by name.
    private var parameters: [String: [String]]

    /// A script that Lamplighter's own parser does not read.
    init(unreadable source: String) {
        isUnreadable = source.contains(Self.name)
        parameters = Self.parameters(in: source)
    }

    init(_ source: String, _ tree: SyntaxTree) {
        isUnreadable = false
        guard source.contains(Self.name) else {
            parameters = Self.parameters(in: source)
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
    }

    private static func logsIn(_ text: String) -> Bool {
        text.contains(name)
            && text.replacing(/setActiveUser\s*\([^,()]*,\s*null\s*\)/, with: "").contains(name)
    }

    /// The parameters of functions with a name, or in a variable or a property: found by their keyword, for scripts without a tree.
    private static func parameters(in source: String) -> [String: [String]] {
        let bytes = Array(source.utf8)
        let keyword = Array("function".utf8)
        func isName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                true
            default: false
            }
        }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var result: [String: [String]] = [:]
        var index = 0
        while index + keyword.count < bytes.count {
            guard bytes[index] == keyword[0], bytes[index...].starts(with: keyword) else {
                index += 1
                continue
            }
            let before = bytes[..<index]
            index += keyword.count
            let own = bytes[index...].drop(while: isSpace).prefix(while: isName)
            let list = bytes[max(index, own.endIndex)...].drop(while: isSpace)
            guard list.first == UInt8(ascii: "(") else { continue }
            let inside = list.dropFirst().prefix { $0 != UInt8(ascii: ")") }
            var name = own
            if own.isEmpty {
                let sign = before.lastIndex { !isSpace($0) } ?? 0
                guard before.indices.contains(sign), [UInt8(ascii: "="), UInt8(ascii: ":")].contains(before[sign]),
                    let end = before[..<sign].lastIndex(where: { !isSpace($0) })
                else { continue }
                name = bytes[(before[...end].lastIndex { !isName($0) }.map { $0 + 1 } ?? 0)...end]
            }
            guard !name.isEmpty else { continue }
            result[String(decoding: name, as: UTF8.self)] = String(decoding: inside, as: UTF8.self)
                .split(separator: ",").map { $0.filter { !$0.isWhitespace } }
            index = inside.endIndex
        }
        return result
    }

    /// What is known of procedures, by name.
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
        guard !setting.isEmpty else { return [:] }
        var roles: [String: LoginRole] = [:]
        for procedure in procedures {
            let reached = self.reached(from: procedure)
            if !reached.isDisjoint(with: setting) {
                roles[procedure] = .login
            } else if !asking.contains(procedure), !reached.isDisjoint(with: asking) {
                roles[procedure] = .step
            }
        }
        return roles
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

import AdapterRuntime
import PushModel

/// The arguments of a call that may be a login: the texts that may name the user, and whether there is a password.
struct LoginArguments: Sendable {
    /// A text or number that may be the name of a user.
    struct Name: Sendable, Hashable {
        let text: String
        /// A hash of the argument's index and of the members that lead to the text; valid in this process only.
        let path: Int
        /// Whether its member or parameter has a name for users.
        let isUser: Bool
        /// Whether it is an argument itself and its parameter has a name for users.
        let isDeclared: Bool
    }

    /// The most names that are kept, and the most characters of each.
    private static let mostNames = 64
    private static let longestName = 256
    /// The longest arguments that are read, in bytes, and the most values in them. A login has few.
    private static let longest = 65_536
    private static let mostValues = 2000
    /// How deep JSON texts in texts are read.
    private static let mostTexts = 2

    private(set) var names: [Name] = []
    /// Whether a text is, or may be, a password.
    private(set) var hasPassword = false
    /// Whether there are more names, or the arguments could not be read.
    private(set) var hidesNames = false

    /// Whether there is nothing that a login could be about.
    var isEmpty: Bool { names.isEmpty && !hasPassword && !hidesNames }

    /// - Parameters:
    ///   - text: as the client sent them.
    ///   - parameters: the names of the procedure's parameters, as far as they are known.
    init(_ text: String, parameters: [String]) {
        guard text.utf8.count <= Self.longest else {
            (hasPassword, hidesNames) = (true, true)
            return
        }
        let list = ParameterList(text)
        // The engine reads some texts that this parser refuses.
        guard let values = (try? JSONValue(parsing: (try? list.mended())?.json ?? list.json))?.array else {
            (hasPassword, hidesNames) = (true, true)
            return
        }
        for (index, value) in values.enumerated() {
            let name = index < parameters.count ? parameters[index] : ""
            if case .array = value {} else if case .object = value {} else { declared = !name.isEmpty }
            collect(value, name: name, path: Self.path(0, index), texts: 0)
            declared = false
        }
    }

    private var valueCount = 0
    /// Whether the value is an argument itself.
    private var declared = false

    private static func path(_ path: Int, _ step: some Hashable) -> Int {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(step)
        return hasher.finalize()
    }

    private mutating func collect(_ value: JSONValue, name: String, path: Int, texts: Int) {
        valueCount += 1
        guard valueCount <= Self.mostValues else {
            (hasPassword, hidesNames) = (true, true)
            return
        }
        switch value {
        case .string(let text):
            // Scripts get objects as JSON texts, too.
            if texts < Self.mostTexts, let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first),
                let inner = try? JSONValue(parsing: text)
            {
                declared = false
                collect(inner, name: name, path: path, texts: texts + 1)
            } else if !text.isEmpty {
                note(text, name: name, path: path)
            }
        case .number: note(value.text, name: name, path: path)
        case .array(let values):
            for (index, value) in values.enumerated() {
                collect(value, name: name, path: Self.path(path, index), texts: texts)
            }
        case .object(let object):
            for member in object.members {
                collect(member.value, name: member.key, path: Self.path(path, member.key), texts: texts)
            }
        case .bool, .null: break
        }
    }

    private mutating func note(_ text: String, name: String, path: Int) {
        let meaning = LoginWords.meaning(of: name)
        switch meaning {
        case .password: hasPassword = true
        case .ordinary: break
        case .user, .unknown:
            guard names.count < Self.mostNames else {
                hidesNames = true
                return
            }
            let isUser = meaning == .user
            names.append(Name(text: Self.cut(text), path: path, isUser: isUser, isDeclared: isUser && declared))
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestName else { return text }
        let visible = text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace }
        return String(String.UnicodeScalarView(visible.prefix(longestName)))
    }
}

/// The answer of a procedure that may log users in.
struct LoginAnswer: Sendable {
    private static let requests: Set = [
        "authrequired", "authenticationrequired", "loginrequired", "isloginrequired", "isauthrequired",
    ]
    private static let reasons = ["error", "message", "msg", "reason", "fail"]
    /// Answers that ask for a login are short.
    private static let longest = 16_384

    /// Whether it asks to log in, as IBM's templates write it: `{"authRequired": true}`.
    let asksAgain: Bool
    /// Whether it says that something was wrong: `{"authRequired": true, "errorMessage": "wrong password"}`.
    let saysWhy: Bool

    init(_ json: String) {
        let members = json.utf8.count > Self.longest ? [] : (try? JSONValue(parsing: json))?.object?.members ?? []
        asksAgain = members.contains { Self.requests.contains($0.key.lowercased()) && $0.value == true }
        saysWhy = members.contains { member in
            let name = member.key.lowercased()
            return member.value.string?.isEmpty == false && Self.reasons.contains { name.contains($0) }
        }
    }
}

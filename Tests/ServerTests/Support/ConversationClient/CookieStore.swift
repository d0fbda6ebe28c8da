/// The cookies of a client (wire-protocol 2).
///
/// All clients have a store in which a new value replaces the old one. The native SDKs of 5.0.6 and 6.0 also have a separate set,
/// which is filled by responses that are not challenges, and in which the first value of a name stays.
struct CookieStore: Sendable {
    private(set) var cookies: [(name: String, value: String)] = []
    private var firsts: [(name: String, value: String)] = []
    private let keepsFirsts: Bool

    init(keepsFirsts: Bool) {
        self.keepsFirsts = keepsFirsts
    }

    subscript(name: String) -> String? { cookies.first { $0.name == name }?.value }

    mutating func set(_ name: String, _ value: String) {
        cookies.removeAll { $0.name == name }
        cookies.append((name, value))
    }

    /// Makes the SDK's own set remember a value, as from a response of long ago.
    mutating func rememberFirst(_ name: String, _ value: String) {
        guard keepsFirsts, !firsts.contains(where: { $0.name == name }) else { return }
        firsts.append((name, value))
    }

    mutating func take(_ answer: RawAnswer) throws {
        for header in answer["Set-Cookie"] {
            let pair = header.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else {
                throw ClientDoubleError("a cookie without value: \(header)")
            }
            let (name, value) = (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
            set(name, value)
            if answer.status != 401 { rememberFirst(name, value) }
        }
    }

    /// The values of the header `Cookie`: one, unless both sets differ.
    var headers: [String] {
        let line = { (cookies: [(name: String, value: String)]) in
            cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        }
        let differ = firsts.contains { first in cookies.contains { $0.name == first.name && $0.value != first.value } }
        return (differ ? [line(firsts)] : []) + (cookies.isEmpty ? [] : [line(cookies)])
    }
}

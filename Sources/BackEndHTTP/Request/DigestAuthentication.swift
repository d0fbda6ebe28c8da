import Crypto
import Foundation
import Synchronization
import WorklightProject

/// Digest access authentication (RFC 7616) for one user at one server: MD5 and SHA-256, plain and `-sess`, `qop=auth` or
/// none. A server's nonce is used for the following requests too, so that only the first needs two.
final class DigestAuthentication: Sendable {
    enum Algorithm: String, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
        case md5Session = "MD5-sess"
        case sha256Session = "SHA-256-sess"

        var isSession: Bool { self == .md5Session || self == .sha256Session }
        var isStrong: Bool { self == .sha256 || self == .sha256Session }

        init?(name: String) {
            switch name.lowercased() {
            case "md5": self = .md5
            case "sha-256": self = .sha256
            case "md5-sess": self = .md5Session
            case "sha-256-sess": self = .sha256Session
            default: return nil
            }
        }

        func hash(_ text: String) -> String {
            let bytes = Data(text.utf8)
            return isStrong ? Self.hex(SHA256.hash(data: bytes)) : Self.hex(Insecure.MD5.hash(data: bytes))
        }

        private static func hex(_ digest: some Digest) -> String {
            let digits = Array("0123456789abcdef".utf8)
            return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    private struct Session {
        let realm: String
        let nonce: String
        let opaque: String?
        let algorithm: Algorithm
        /// The algorithm in the server's spelling; `nil` if the server named none.
        let algorithmName: String?
        let usesQuality: Bool
        let clientNonce: String
        var count = 0
    }

    private let username: String
    private let password: String
    private let session = Mutex<Session?>(nil)
    private let makeClientNonce: @Sendable () -> String

    init(
        username: String, password: String,
        makeClientNonce: @escaping @Sendable () -> String = {
            (0..<16).map { _ in String(UInt8.random(in: 0...15), radix: 16) }.joined()
        }
    ) {
        self.username = username
        self.password = password
        self.makeClientNonce = makeClientNonce
    }

    convenience init(_ identity: HTTPIdentity) {
        self.init(username: identity.username, password: identity.password)
    }

    /// Takes the best digest challenge.
    ///
    /// - Returns: whether there was one that can be met, and whether it only says that the nonce was too old.
    func accept(_ challenges: [Challenge]) -> (isAnswerable: Bool, isStale: Bool) {
        let candidates = challenges.compactMap { challenge -> (Session, Bool)? in
            guard challenge.scheme == "digest", let realm = challenge.parameters["realm"],
                let nonce = challenge.parameters["nonce"],
                let algorithm = Algorithm(name: challenge.parameters["algorithm"] ?? "MD5")
            else { return nil }
            let qualities = challenge.parameters["qop"]?.split(separator: ",").map { $0.trimmed.lowercased() }
            if let qualities, !qualities.contains("auth") { return nil }
            let session = Session(
                realm: realm, nonce: nonce, opaque: challenge.parameters["opaque"], algorithm: algorithm,
                algorithmName: challenge.parameters["algorithm"], usesQuality: qualities != nil,
                clientNonce: makeClientNonce())
            return (session, challenge.parameters["stale"]?.lowercased() == "true")
        }
        guard let best = candidates.first(where: { $0.0.algorithm.isStrong }) ?? candidates.first else {
            return (false, false)
        }
        session.withLock { $0 = best.0 }
        return (true, best.1)
    }

    /// The `Authorization` header's value for the next request; `nil` as long as no challenge came.
    func authorization(method: String, target: String) -> String? {
        let used = session.withLock { session -> Session? in
            session?.count += 1
            return session
        }
        guard let used else { return nil }
        let algorithm = used.algorithm
        let count = String(used.count, radix: 16)
        let paddedCount = String(repeating: "0", count: max(0, 8 - count.count)) + count
        var secret = algorithm.hash("\(username):\(used.realm):\(password)")
        if algorithm.isSession { secret = algorithm.hash("\(secret):\(used.nonce):\(used.clientNonce)") }
        let action = algorithm.hash("\(method):\(target)")
        let response =
            used.usesQuality
            ? algorithm.hash("\(secret):\(used.nonce):\(paddedCount):\(used.clientNonce):auth:\(action)")
            : algorithm.hash("\(secret):\(used.nonce):\(action)")
        var parts = [
            "username=\(Self.quote(username))", "realm=\(Self.quote(used.realm))", "nonce=\(Self.quote(used.nonce))",
            "uri=\(Self.quote(target))", "response=\"\(response)\"",
        ]
        if let name = used.algorithmName { parts.append("algorithm=\(name)") }
        if let opaque = used.opaque { parts.append("opaque=\(Self.quote(opaque))") }
        if used.usesQuality {
            parts += ["qop=auth", "nc=\(paddedCount)", "cnonce=\"\(used.clientNonce)\""]
        } else if algorithm.isSession {
            parts.append("cnonce=\"\(used.clientNonce)\"")
        }
        return "Digest " + parts.joined(separator: ", ")
    }

    private static func quote(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}

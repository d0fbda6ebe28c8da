import Crypto
public import Foundation

/// Creates and verifies the ids of clients, which last over many sessions.
///
/// A client without a login is a user with the client's id. So no client may choose its id: it could choose that of a user,
/// where users have UUIDs for ids. An id is 80 random bits and 48 bits that only the holder of the server's key can compute.
public struct ClientIDs: Sendable {
    /// The number of random bytes; the bytes of the proof follow.
    private static let randomLength = 10

    private let key: SymmetricKey

    /// - Parameter key: whose ids these are. The same key always recognises the same ids.
    /// - Throws: what the cryptographic library throws when it cannot sign.
    public init(key: ServerKey) throws {
        // Only the owner of the key can make this signature. It cannot be a token's or certificate's: those have no blank at this position.
        let secret = SHA256.hash(data: try key.signature(of: Data("ids of clients".utf8)))
        self.key = SymmetricKey(data: secret)
    }

    /// Returns an id for a client that has none.
    public func make() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return id((0..<Self.randomLength).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Returns the id of a client that brings one: the same if it was made here, or else one that is made from it, the same each
    /// time.
    public func id(for given: UUID) -> UUID {
        let bytes = withUnsafeBytes(of: given.uuid) { Array($0) }
        let own = id(Array(bytes.prefix(Self.randomLength)))
        let difference = withUnsafeBytes(of: own.uuid) { zip($0, bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } }
        guard difference != 0 else { return given }
        return id(Array(code(of: bytes, purpose: "another's id").prefix(Self.randomLength)))
    }

    private func id(_ random: [UInt8]) -> UUID {
        let bytes = random + code(of: random, purpose: "id").prefix(16 - Self.randomLength)
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        return UUID(uuid: uuid)
    }

    private func code(of bytes: [UInt8], purpose: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(purpose.utf8) + [0] + bytes, using: key))
    }
}

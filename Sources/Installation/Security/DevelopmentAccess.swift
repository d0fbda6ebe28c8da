import Authentication
import Core
import Foundation
import Tokens

/// The access to the features of development mode: `/dev/invoke`, test tokens, and calls of `/invoke` and `/adapters` without a client's session.
///
/// Only requests that are made on this machine count (`IncomingRequest.isLocal`). They show the key in the data folder, which only the owner of the
/// folder can read, unless the operator set `development.open`: a proxy on the same machine makes the requests of strangers seem local, and has no
/// key.
package struct DevelopmentAccess: Sendable {
    /// The file in the data folder that holds the key. It stays over restarts.
    package static let fileName = "development-key"

    /// The permissions of a caller.
    package enum Grant: Sendable {
        /// Everything: the caller has the key.
        case everything
        /// Procedures without a security test: a program on this machine, and `development.open` is set.
        case unguarded
        /// Nothing, since the key came over the network or through a proxy.
        case keyFromElsewhere
        /// Nothing: a program on this machine that shows no key.
        case keyMissing
        /// Nothing: the request is not made on this machine.
        case none
    }

    /// The path of the key's file.
    package let file: String
    /// True if programs on this machine need no key (`development.open`).
    package let isOpen: Bool
    private let key: String

    /// Reads the key, or makes one of 256 random bits in a file of mode 0600.
    ///
    /// - Throws: `KeyFileError`.
    init(folder: URL, isOpen: Bool) throws {
        file = folder.appending(path: Self.fileName).path
        self.isOpen = isOpen
        let keyFile = KeyFile(path: file)
        let made = RandomBytes.hexadecimal(32)
        let text = try keyFile.read() ?? (keyFile.create(made + "\n") ? made : keyFile.read())
        let key = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard key.utf8.count >= 32 else {
            throw KeyFileError(path: file, reason: "has less than 32 characters; \(KeyFile.advice)")
        }
        self.key = key
    }

    /// - Parameters:
    ///   - authorization: the header of the request.
    ///   - isLocal: whether the request was made on this machine.
    package func grant(authorization: String?, isLocal: Bool) -> Grant {
        let isKeyShown = authorization?.isSame(as: "Bearer \(key)") ?? false
        guard isLocal else { return isKeyShown ? .keyFromElsewhere : .none }
        return isKeyShown ? .everything : isOpen ? .unguarded : .keyMissing
    }
}

/// Random bytes from the system's own generator.
package enum RandomBytes {
    /// Two digits a byte.
    package static func hexadecimal(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

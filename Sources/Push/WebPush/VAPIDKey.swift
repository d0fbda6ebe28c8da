import Core
public import Crypto
import Foundation

/// The key by which push services know this server (RFC 8292). Browsers bind each subscription to it: with another key, every
/// page has to subscribe again, so keep a copy of it.
public struct VAPIDKey: Sendable, CustomStringConvertible {
    let privateKey: P256.Signing.PrivateKey

    /// The public key as a page passes it to `pushManager.subscribe`, as `applicationServerKey`: 65 bytes, in Base64 for URLs.
    public var publicKey: String { Base64URL.encode(privateKey.publicKey.x963Representation) }

    public init(_ privateKey: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) {
        self.privateKey = privateKey
    }

    /// Reads a P-256 private key in PEM, or 32 bytes in Base64 as `web-push generate-vapid-keys` prints them.
    ///
    /// - Parameter source: where it was found, for the error.
    /// - Throws: ``WebPushCredentialError``.
    public init(_ text: String, source: String) throws(WebPushCredentialError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("-----"), let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            privateKey = key
        } else if let bytes = Base64URL.decode(text, acceptsStandardAlphabet: true),
            let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
        {
            privateKey = key
        } else {
            throw WebPushCredentialError(
                source: source,
                reason:
                    "holds no private key of Web Push: expected one on P-256 in PEM, or its 32 bytes in Base64; make one "
                    + "with 'openssl ecparam -name prime256v1 -genkey -noout', or leave it out to have one made")
        }
    }

    /// The key in a file, which is made with mode 0600 when there is none. Several processes may do this at once: all get the
    /// same key.
    ///
    /// - Parameter path: where the file is; its folder exists.
    /// - Throws: ``WebPushCredentialError``: the file is damaged, open to others, or cannot be read or made.
    public init(file path: String) throws(WebPushCredentialError) {
        let file = KeyFile(path: path)
        do {
            if let text = try file.read() {
                try self.init(text, source: path)
                return
            }
            let key = P256.Signing.PrivateKey()
            if try file.create(key.pemRepresentation + "\n") {
                self.init(key)
                return
            }
            guard let text = try file.read() else {
                throw WebPushCredentialError(source: path, reason: "went away while it was read; start again")
            }
            try self.init(text, source: path)
        } catch let error as WebPushCredentialError {
            throw error
        } catch let error as KeyFileError {
            throw WebPushCredentialError(source: path, reason: error.reason)
        } catch {
            throw WebPushCredentialError(source: path, reason: "\(error)")
        }
    }

    /// The public key.
    public var description: String { publicKey }
}

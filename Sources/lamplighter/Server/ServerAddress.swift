import ArgumentParser
import Foundation
import HTTPTransfer
import NIOSSL

/// The address of a server, from the command line: `http://localhost:10080/wl/`.
struct ServerAddress: ExpressibleByArgument, Sendable {
    /// Without a slash at its end.
    let url: String

    init?(argument: String) {
        guard let parts = URLComponents(string: argument),
            ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.port.map((1...65535).contains) ?? true
        else { return nil }
        var url = argument
        while url.hasSuffix("/") { url.removeLast() }
        self.url = url
    }
}

/// The certificates that are trusted.
enum ServerTrust: Sendable {
    /// The authorities that this machine trusts.
    case system
    /// Those of authorities in a file in PEM, and no others.
    case authorities(file: String)
    /// All, for a server of this machine that is known by its note.
    case all

    /// - Throws: ``CommandError`` when the file holds no certificate.
    func transferTrust() throws -> TransferClient.Trust {
        switch self {
        case .system: return .system
        case .authorities(let file):
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandError(description: "--cacert \(file): there is no such file, or it may not be read")
            }
            guard (try? NIOSSLCertificate.fromPEMBytes(Array(data)))?.isEmpty == false else {
                throw CommandError(description: "--cacert \(file): expected certificates in PEM")
            }
            return .only(pem: String(decoding: data, as: UTF8.self))
        case .all: return .everybody
        }
    }
}

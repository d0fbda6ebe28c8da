public import Foundation
public import Logging
import Synchronization

public import struct Foundation.Date

/// The server's certificate and key, read from PEM files and read again when these change.
///
/// New connections take it as it is then; those that are open keep the one with which they began.
public final class ServerCertificate: Sendable {
    private struct State {
        var contexts: TLSContexts
        var contents: CertificateFiles.Contents
        /// The changed contents, or the error that prevented reading them, at the last check. They are applied when two checks find the same, so that
        /// files that are still being written, one after the other, are not used.
        var seen: Result<CertificateFiles.Contents, CertificateError>
        /// The last contents that were tried and rejected, and the reason.
        var rejected: (found: Result<CertificateFiles.Contents, CertificateError>, error: CertificateError)?
    }

    private let files: CertificateFiles
    private let minimumVersion: TLSMinimumVersion
    private let state: Mutex<State>
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - certificateFile: the server's certificate, followed by those of the authorities between it and the root.
    ///   - keyFile: the private key, not encrypted; it may be the same file.
    ///   - clientAuthoritiesFile: the authorities whose client certificates the server takes; `nil` to ask for none.
    ///   - minimumVersion: the oldest version of TLS to speak. With one before 1.2 the server also has the cipher suites that
    ///     clients of that time need.
    ///   - now: the time, for the expiry of a new certificate.
    /// - Throws: ``CertificateError``, which names the file and says what is wrong with it.
    public init(
        certificateFile: String, keyFile: String, clientAuthoritiesFile: String? = nil,
        minimumVersion: TLSMinimumVersion = .tls12, logger: Logger, now: @escaping @Sendable () -> Date = { .now }
    ) throws(CertificateError) {
        self.now = now
        self.minimumVersion = minimumVersion
        files = CertificateFiles(
            certificate: certificateFile, key: keyFile, clientAuthorities: clientAuthoritiesFile)
        self.logger = logger
        let contents = try files.read()
        let contexts = try files.contexts(contents, minimumVersion)
        state = Mutex(
            State(
                contexts: contexts, contents: contents,
                seen: .success(contents)))
    }

    /// The contexts for new connections.
    var contexts: TLSContexts { state.withLock(\.contexts) }

    /// The reason why the current files are rejected; `nil` when they are in use.
    public var rejection: CertificateError? { state.withLock { $0.rejected?.error } }

    /// The expiry date of the certificate for new connections.
    public var notAfter: Date { contexts.notAfter }

    /// Checks the files. Changed ones are applied when they are the same as at the last check; invalid ones are reported once, and the old
    /// certificate stays.
    public func look() { look(isUrgent: false) }

    /// Takes up changed files at once, for a signal or a command.
    public func reload() { look(isUrgent: true) }

    private func look(isUrgent: Bool) {
        let found = Result { () throws(CertificateError) in try files.read() }
        let due = state.withLock { state in
            let isSettled = isUrgent || state.seen == found
            state.seen = found
            if found == .success(state.contents) {
                state.rejected = nil
                return false
            }
            return isSettled && (isUrgent || state.rejected?.found != found)
        }
        guard due else { return }
        do throws(CertificateError) {
            let contents = try found.get()
            let contexts = try files.contexts(contents, minimumVersion)
            guard contexts.notAfter > now() else {
                throw CertificateError(
                    file: files.certificate, role: .certificate, problem: .expired(contexts.notAfter))
            }
            state.withLock { state in
                state.contexts = contexts
                state.contents = contents
                state.rejected = nil
            }
            logger.notice("new connections use the certificate now in \(files.certificate)")
        } catch {
            state.withLock { $0.rejected = (found, error) }
            logger.error("\(error); the certificate that was read before stays in use")
        }
    }
}

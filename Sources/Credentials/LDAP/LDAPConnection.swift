import CLDAP
import Foundation

/// A connection to one LDAP server, used on one thread. Its calls block, within their timeouts.
final class LDAPConnection {
    /// The reason why there is no response.
    struct LDAPOperationError: Error {
        let code: Int32
        let explanation: String

        var isTimeout: Bool { code == LDAP_TIMEOUT }
    }

    private let handle: OpaquePointer
    private let server: LDAPServerURL
    private let watch = SocketInterrupter()
    /// libldap keeps a pointer to it.
    private let callbacks: UnsafeMutablePointer<ldap_conncb>
    /// The credentials for the servers that referrals name.
    private var credentials: (name: String, password: String) = ("", "")

    /// Connects nowhere yet.
    init(_ server: LDAPServerURL, settings: LDAPSettings) throws(LDAPOperationError) {
        var handle: OpaquePointer?
        let code = ldap_initialize(&handle, server.text)
        guard code == LDAP_SUCCESS, let handle else {
            throw LDAPOperationError(code: code, explanation: Self.text(code))
        }
        (self.handle, self.server) = (handle, server)
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: SocketInterrupter.callbacks(watch))
        ldap_set_option(handle, LDAP_OPT_CONNECT_CB, callbacks)
        set(LDAP_OPT_PROTOCOL_VERSION, LDAP_VERSION3)
        set(LDAP_OPT_DEREF, LDAP_DEREF_ALWAYS)
        setTimeout(settings.timeout)
        ldap_set_option(
            handle, LDAP_OPT_REFERRALS, settings.referral == .follow ? lamplighterLDAPOn : lamplighterLDAPOff)
        if server.isEncrypted { try setEncryption(settings) }
        if settings.referral == .follow { followReferrals() }
    }

    deinit {
        // A TLS connection says goodbye, which must not hang either.
        _ = watch.interrupting(after: .seconds(1)) { ldap_unbind_ext(handle, nil, nil) }
        callbacks.deallocate()
    }

    /// Connects and logs in.
    func bind(name: String, password: String, within limit: Duration) throws(LDAPOperationError) -> LDAPAnswer {
        let end = ContinuousClock.now + limit
        credentials = (name, password)
        var message: Int32 = 0
        var bytes = Array(password.utf8).map(CChar.init(bitPattern:))
        let code = bytes.withUnsafeMutableBufferPointer { buffer in
            var value = berval(bv_len: UInt(buffer.count), bv_val: buffer.baseAddress)
            return watch.interrupting(after: limit) { ldap_sasl_bind(handle, name, nil, &value, nil, nil, &message) }
        }
        guard code == LDAP_SUCCESS else {
            // A server that accepts connections and then is silent makes TLS fail in this way.
            throw ContinuousClock.now >= end ? timedOut : failure(code)
        }
        return try answer(to: message, until: end)
    }

    /// Searches a whole subtree for at most two entries.
    ///
    /// - Parameter attributes: what to read of them.
    func search(
        _ filter: String, below base: String, attributes: [String], within limit: Duration
    ) throws(LDAPOperationError) -> LDAPAnswer {
        var message: Int32 = 0
        var time = Self.time(limit)
        let names = attributes.isEmpty ? ["1.1"] : attributes
        var pointers = names.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        let code = ldap_search_ext(
            handle, base, ber_int_t(LDAP_SCOPE_SUBTREE), filter, &pointers, 0, nil, nil, &time, 2, &message)
        guard code == LDAP_SUCCESS else { throw failure(code) }
        return try answer(to: message, until: .now + limit)
    }

    private func answer(to message: Int32, until end: ContinuousClock.Instant) throws(LDAPOperationError) -> LDAPAnswer
    {
        var (time, result) = (Self.time(max(.milliseconds(1), end - .now)), nil as OpaquePointer?)
        // Following a referral may shake hands too.
        let limit = max(.milliseconds(1), end - .now) + .milliseconds(100)
        let state = watch.interrupting(after: limit) {
            ldap_result(handle, message, Int32(LDAP_MSG_ALL), &time, &result)
        }
        switch state {
        case 0:
            ldap_abandon_ext(handle, message, nil, nil)
            throw timedOut
        case -1:
            var code: Int32 = 0
            ldap_get_option(handle, LDAP_OPT_RESULT_CODE, &code)
            // The watch may be faster than libldap's own clock.
            throw ContinuousClock.now >= end ? timedOut : failure(code)
        default: break
        }
        guard let result else { throw failure(Int32(LDAP_OTHER)) }
        defer { ldap_msgfree(result) }
        return LDAPAnswer(result, of: handle)
    }

    private var timedOut: LDAPOperationError {
        LDAPOperationError(code: LDAP_TIMEOUT, explanation: "no response in time")
    }

    private func failure(_ code: Int32) -> LDAPOperationError {
        var words: UnsafeMutablePointer<CChar>?
        ldap_get_option(handle, LDAP_OPT_DIAGNOSTIC_MESSAGE, &words)
        defer { ldap_memfree(words) }
        let detail = words.map { String(cString: $0) } ?? ""
        return LDAPOperationError(code: code, explanation: Self.text(code) + (detail.isEmpty ? "" : ": \(detail)"))
    }
}

extension LDAPConnection {
    /// libldap's words for a result code.
    static func text(_ code: Int32) -> String {
        ldap_err2string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    private static func time(_ duration: Duration) -> timeval {
        let (seconds, attoseconds) = duration.components
        return timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        ldap_set_option(handle, option, &value)
    }

    private func setTimeout(_ timeout: Duration) {
        var time = Self.time(timeout)
        ldap_set_option(handle, LDAP_OPT_NETWORK_TIMEOUT, &time)
        // For the blocking calls, with which referrals are followed.
        ldap_set_option(handle, LDAP_OPT_TIMEOUT, &time)
    }

    /// Certificates are always checked; settings in ldap.conf and the environment do not change this.
    private func setEncryption(_ settings: LDAPSettings) throws(LDAPOperationError) {
        set(LDAP_OPT_X_TLS_REQUIRE_CERT, LDAP_OPT_X_TLS_HARD)
        if let file = settings.trustedCertificates {
            guard ldap_set_option(handle, LDAP_OPT_X_TLS_CACERTFILE, file) == 0 else {
                throw LDAPOperationError(
                    code: LDAP_PARAM_ERROR,
                    explanation: "the LDAP library rejects ldapTrustedCertificates; it must name a PEM file")
            }
        }
        var isServer: Int32 = 0
        guard ldap_set_option(handle, LDAP_OPT_X_TLS_NEWCTX, &isServer) == 0 else {
            throw LDAPOperationError(
                code: LDAP_PARAM_ERROR,
                explanation: "the certificates to trust cannot be read; ldapTrustedCertificates must be a PEM file")
        }
    }

    /// Logs in to servers that referrals name. The password is never sent with less protection than on the first connection.
    private func followReferrals() {
        ldap_set_rebind_proc(
            handle,
            { handle, url, _, _, context in
                guard let context, let url, let handle else { return LDAP_OTHER }
                let connection = Unmanaged<LDAPConnection>.fromOpaque(context).takeUnretainedValue()
                let isEncrypted = String(cString: url).lowercased().hasPrefix("ldaps://")
                guard isEncrypted || !connection.server.isEncrypted else { return LDAP_CONFIDENTIALITY_REQUIRED }
                let (name, password) = connection.credentials
                var bytes = Array(password.utf8).map(CChar.init(bitPattern:))
                return bytes.withUnsafeMutableBufferPointer { buffer in
                    var value = berval(bv_len: UInt(buffer.count), bv_val: buffer.baseAddress)
                    return ldap_sasl_bind_s(handle, name, nil, &value, nil, nil, nil)
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

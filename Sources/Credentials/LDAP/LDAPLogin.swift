import CLDAP
import Logging

/// One login at an LDAP server, on one thread.
struct LDAPLogin {
    let settings: LDAPSettings
    let name: String
    let password: String
    let logger: Logger

    /// - Returns: `nil` when the server says no.
    func user() throws(DirectoryError) -> DirectoryUser? {
        var failure = DirectoryError(.configuration, "ldapProviderUrl names no server")
        for server in settings.servers {
            do {
                let connection = try LDAPConnection(server, settings: settings)
                let answer = try connection.bind(
                    name: settings.principal(of: name), password: password, within: settings.timeout)
                return try isLoggedIn(answer, at: server) ? found(by: connection, at: server) : nil
            } catch let error as LDAPConnection.LDAPOperationError {
                failure = unreachable(server, error)
                logger.warning("an LDAP server failed to check a login", metadata: ["problem": "\(failure)"])
            } catch let error as DirectoryError {
                throw error
            } catch {
                throw DirectoryError(.backEnd, "LDAP server \(server.text): unexpected failure")
            }
        }
        throw failure
    }

    private func isLoggedIn(_ answer: LDAPAnswer, at server: LDAPServerURL) throws(DirectoryError) -> Bool {
        switch answer.code {
        case LDAP_SUCCESS: return true
        case LDAP_INVALID_CREDENTIALS, LDAP_NO_SUCH_OBJECT, LDAP_INVALID_DN_SYNTAX, LDAP_INAPPROPRIATE_AUTH:
            return false
        case LDAP_CONSTRAINT_VIOLATION, LDAP_UNWILLING_TO_PERFORM:
            // So servers speak of locked accounts, but not only of those.
            logger.warning("an LDAP server refuses a login", metadata: ["problem": "\(text(answer, at: server))"])
            return false
        case LDAP_CONFIDENTIALITY_REQUIRED, LDAP_STRONG_AUTH_REQUIRED:
            throw DirectoryError(
                .configuration,
                text(answer, at: server) + "; it wants an encrypted connection: use ldaps:// in ldapProviderUrl")
        default: throw DirectoryError(.backEnd, text(answer, at: server))
        }
    }

    private func found(by connection: LDAPConnection, at server: LDAPServerURL) throws(DirectoryError) -> DirectoryUser?
    {
        guard case .searchPattern(let base, let pattern) = settings.validation else { return DirectoryUser(name: name) }
        let filter = pattern.replacing(LDAPSettings.placeholder, with: LDAPEscaping.filterValue(name))
        let answer: LDAPAnswer
        do {
            answer = try connection.search(
                filter, below: base, attributes: settings.attributes, within: settings.timeout)
        } catch {
            guard error.code != LDAP_FILTER_ERROR else {
                throw DirectoryError(.configuration, "ldapSearchFilterPattern '\(pattern)' is not a valid filter")
            }
            throw unreachable(server, error)
        }
        if settings.referral == .refuse, answer.hasReferences {
            throw DirectoryError(
                .backEnd, "\(text(answer, at: server)); it refers to another server, and ldapReferral is throw")
        }
        switch answer.code {
        case LDAP_SUCCESS: return answer.entries.isEmpty ? nil : user(of: answer.entries)
        case LDAP_SIZELIMIT_EXCEEDED where !answer.entries.isEmpty: return user(of: answer.entries)
        case LDAP_TIMELIMIT_EXCEEDED: throw DirectoryError(.timeout, text(answer, at: server))
        case LDAP_NO_SUCH_OBJECT:
            throw DirectoryError(
                .configuration,
                text(answer, at: server) + "; does ldapSearchBase '\(base)' exist, and may users read it?")
        case LDAP_REFERRAL, LDAP_PARTIAL_RESULTS:
            throw DirectoryError(
                .backEnd,
                text(answer, at: server) + "; it refers to another server: ask that one, or set ldapReferral to follow")
        default: throw DirectoryError(.backEnd, text(answer, at: server))
        }
    }

    private func user(of entries: [LDAPAnswer.Entry]) -> DirectoryUser {
        guard entries.count == 1, let entry = entries.first else { return DirectoryUser(name: name) }
        let displayName = entry.attributes.first { $0.key.lowercased() == "displayname" }?.value
        return DirectoryUser(name: name, displayName: displayName, attributes: entry.attributes)
    }

    private func text(_ answer: LDAPAnswer, at server: LDAPServerURL) -> String {
        "LDAP server \(server.text): \(LDAPConnection.text(answer.code))"
            + DirectoryError.quote(answer.explanation, without: password)
    }

    private func unreachable(_ server: LDAPServerURL, _ failure: LDAPConnection.LDAPOperationError) -> DirectoryError {
        let explanation = DirectoryError.quote(failure.explanation, without: password)
        guard !failure.isTimeout else {
            return DirectoryError(.timeout, "LDAP server \(server.text) did not respond within \(settings.timeout)")
        }
        guard failure.code != LDAP_PARAM_ERROR else {
            return DirectoryError(.configuration, "LDAP server \(server.text) cannot be asked\(explanation)")
        }
        return DirectoryError(.unreachable, "LDAP server \(server.text) cannot be reached\(explanation)")
    }
}

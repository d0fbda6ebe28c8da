import Credentials
import Foundation
import TestSupport
import Testing

@Suite("LDAP servers that do not respond", .onOwnThreads)
struct LDAPFailureTests {
    private func failure(_ directory: LDAPDirectory) async throws -> DirectoryError {
        try await #require(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
    }

    @Test("A server that is down is unreachable", arguments: ["ldap", "ldaps"])
    func down(scheme: String) async throws {
        let url = "\(scheme)://127.0.0.1:\(closedPort)"
        let directory = try LDAPDirectory(parameters: LDAPDirectory.parameters(nil, ["ldapProviderUrl": url]))
        let error = try await failure(directory)
        #expect(error.kind == .unreachable)
        #expect(error.message.hasPrefix("LDAP server \(url) cannot be reached"))
    }

    @Test("A server that is silent costs the configured time at most", arguments: ["ldap", "ldaps"])
    func silent(scheme: String) async throws {
        let listener = try Listener()
        let url = "\(scheme)://127.0.0.1:\(listener.port)"
        let directory = try LDAPDirectory(
            parameters: LDAPDirectory.parameters(nil, ["ldapProviderUrl": url, "ldapTimeoutMs": "1000"]))
        let error = try await failure(directory)
        #expect(error.kind == .timeout)
        // The error comes from the thread that asked or, if that is late, from the caller that waits for it.
        #expect(
            error.message == "LDAP server \(url) did not respond within 1.0 seconds"
                || error.message.hasPrefix("LDAP server \(url): no result within"))
        withExtendedLifetime(listener) {}
    }

    @Test("A login whose task is cancelled ends at once")
    func cancelled() async throws {
        let listener = try Listener()
        let directory = try LDAPDirectory(
            parameters: LDAPDirectory.parameters(nil, ["ldapProviderUrl": "ldap://127.0.0.1:\(listener.port)"]))
        let login = Task { try await failure(directory) }
        login.cancel()
        #expect(try await login.value.kind == .cancelled)
        withExtendedLifetime(listener) {}
    }

    @Test("The next server is used when one is silent", .defaultTimeLimit, arguments: ["ldap", "ldaps"])
    func failoverFromSilence(scheme: String) async throws {
        let (server, listener) = (try LDAPServer.shared(), try Listener())
        let directory = try LDAPDirectory(
            server,
            ["ldapProviderUrl": "\(scheme)://127.0.0.1:\(listener.port) \(server.url)", "ldapTimeoutMs": "2000"])
        while true {
            do {
                let user = try await directory.user(named: "bob", password: "builder-7")
                #expect(user != nil)
                break
            } catch {
                // On a busy machine the other server may take longer than that, too.
                guard error.kind == .timeout else { throw error }
                try Task.checkCancellation()
            }
        }
        withExtendedLifetime(listener) {}
    }

    @Test("The next server is used when one is down")
    func failover() async throws {
        let server = try LDAPServer.shared()
        let directory = try LDAPDirectory(
            server, ["ldapProviderUrl": "ldap://127.0.0.1:\(closedPort) \(server.url)"])
        #expect(try await directory.user(named: "bob", password: "builder-7") != nil)
    }

    @Test("Errors and logs never hold the password")
    func secrecy() async throws {
        let lines = LogRecorder()
        let url = "ldap://127.0.0.1:\(closedPort)"
        let directory = try LDAPDirectory(
            parameters: LDAPDirectory.parameters(nil, ["ldapProviderUrl": url]), logger: lines.logger)
        let error = try await failure(directory)
        #expect(!"\(error)".contains("builder-7"))
        #expect(lines.text.contains("failed to check a login"))
        #expect(!lines.text.contains("builder-7"))
    }
}

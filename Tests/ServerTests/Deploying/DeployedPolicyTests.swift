import AdapterRuntime
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Security of an adapter that is redeployed", .defaultTimeLimit)
struct DeployedPolicyTests {
    private static let authentication = """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests><customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
        <realms><realm name="R" loginModule="M"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm></realms>
        <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className>
        </loginModule></loginModules></tns:loginConfiguration>
        """
    private static let call = "/invoke?adapter=A&procedure=run"

    private static func xml(guarded: Bool, connectivity: String = "") -> String {
        adapterXML("A", connectivity: connectivity).replacing(
            #"name="run"/>"#, with: #"name="run"\#(guarded ? #" securityTest="T""# : "")/>"#)
    }

    private static func files(_ xml: String, _ script: String) -> [String: String] {
        [
            "adapters/A/A.xml": xml, "adapters/A/A-impl.js": script,
            "server/conf/authenticationConfig.xml": authentication,
        ]
    }

    @Test("A version's security test holds at once, and ends with the next version")
    func switching() async throws {
        let folder = try TemporaryFolder()
        let files = Self.files(Self.xml(guarded: false), "function run() { return { secret: 1 } }")
        try await RunningServer.run(files: files, in: folder, change: { $0.isDevelopmentOpen = true }) {
            (server) async throws in
            #expect(try await server.send(.GET, Self.call).body.contains("secret"))
            try folder.write(Self.xml(guarded: true), to: "adapters/A/A.xml")
            #expect(try await server.manage(.POST, "adapters/A").status == 200)
            #expect(!(try await server.send(.GET, Self.call).body.contains("secret")))
            try folder.write(Self.xml(guarded: false), to: "adapters/A/A.xml")
            #expect(try await server.manage(.POST, "adapters/A").status == 200)
            #expect(try await server.send(.GET, Self.call).body.contains("secret"))
        }
    }

    @Test("A caller admitted while the procedure was unprotected is not admitted to the protected version")
    func waiting() async throws {
        let backEnd = try HeldBackEnd()
        let script = { @Sendable (answer: String) in
            "function run() { [1].map(function () { WL.Server.invokeHttp({ method: 'get', path: '/' }) }); return { answer: '\(answer)' } }"
        }
        let folder = try TemporaryFolder()
        let files = Self.files(Self.xml(guarded: false, connectivity: backEnd.connectivity), script("open"))
        let change = { (settings: inout InstallationSettings) in
            settings.isDevelopmentOpen = true
            settings.runtime.scopes.machines = 1
        }
        try await RunningServer.run(files: files, in: folder, change: change) {
            (server) async throws in
            // There is one machine, and the first call holds it: a nested function has no twin.
            async let running = server.send(.GET, Self.call)
            try await backEnd.arrivals(1)
            async let waiting = server.send(.GET, Self.call)
            try await waitUntil { server.installation.runtime.waitingCalls(ofAdapter: "A") >= 2 }
            try folder.write(Self.xml(guarded: true, connectivity: backEnd.connectivity), to: "adapters/A/A.xml")
            try folder.write(script("secret"), to: "adapters/A/A-impl.js")
            #expect(try await server.manage(.POST, "adapters/A").status == 200)
            backEnd.open()
            #expect(try await running.body == #"{"isSuccessful":true,"answer":"open"}"#)
            let answer = try await waiting
            #expect(!answer.body.contains("secret") && !answer.body.contains("open"))
        }
    }

    @Test("A version with a test that was written into authenticationConfig.xml meanwhile waits for a restart")
    func newTest() async throws {
        let folder = try TemporaryFolder()
        let files = Self.files(Self.xml(guarded: false), "function run() { return { version: 1 } }")
        try await RunningServer.run(files: files, in: folder, change: { $0.isDevelopmentOpen = true }) {
            (server) async throws in
            try folder.write(
                Self.xml(guarded: true).replacing(#"securityTest="T""#, with: #"securityTest="Later""#),
                to: "adapters/A/A.xml")
            try folder.write(
                Self.authentication.replacing(#"name="T""#, with: #"name="Later""#),
                to: "server/conf/authenticationConfig.xml")
            let answer = try await server.manage(.POST, "adapters/A")
            #expect(answer.status == 422)
            #expect(
                answer.body.contains(
                    "the security test 'Later' is not defined in the configuration that the server runs"))
            #expect(answer.body.contains("restart the server"))
            #expect(try await server.send(.GET, Self.call).body == #"{"isSuccessful":true,"version":1}"#)
        }
    }
}

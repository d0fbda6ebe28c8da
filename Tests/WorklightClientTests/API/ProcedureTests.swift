import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("2.1.1, 2.2.3, 2.2.4, 2.3: procedures", .defaultTimeLimit)
struct ProcedureTests {
    /// Example 1 of 2.1.1, in Swift.
    private final class ConnectDelegate: NSObject, WLDelegate, Sendable {
        let client: WLClient
        let next: RecordingDelegate

        init(_ client: WLClient, _ next: RecordingDelegate) {
            (self.client, self.next) = (client, next)
        }

        func onSuccess(_ response: WLResponse!) {
            let invocationData = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "getDemoAccount")
            invocationData?.setParameters(["123-456-789", "california"])
            client.invokeProcedure(invocationData, with: next)
        }

        func onFailure(_ response: WLFailResponse!) { next.onFailure(response) }
    }

    @Test("2.1.1 The first example of the document runs")
    func example() async throws {
        try await TestServer.withClient { (_, client) async throws in
            let delegate = RecordingDelegate()
            client.client.wlConnect(with: ConnectDelegate(client.client, delegate))
            let response = try await delegate.outcome().response()
            #expect(response.invocationResult.isSuccessful())
            #expect(response.invocationResult.getResponse()?["echo"] as? [String] == ["123-456-789", "california"])
        }
    }

    /// A subclass, as an application makes of a class that Swift imports from the SDK's header.
    private final class ImportedHandler: ChallengeHandler {
        override init!(realm: String!) { super.init(realm: realm) }
    }

    private final class ImportedData: WLProcedureInvocationData {
        override init!(adapter: String!, procedure: String!) { super.init(adapter: adapter, procedure: procedure) }
    }

    @Test("the forms of the shipped SDK's header work beside the document's")
    func shippedForms() async throws {
        let handler: ImportedHandler! = ImportedHandler(realm: "R")
        #expect(handler.realm == "R")
        try await TestServer.connected { (_, client) async throws in
            for data in [
                WLProcedureInvocationData(adapterName: "demoAdapter", procedureName: "getDemoAccount"),
                ImportedData(adapter: "demoAdapter", procedure: "getDemoAccount"),
            ] {
                data?.parameters = ["1", 2]
                let response = try await client.response { $0.invokeProcedure(data, with: $1) }
                #expect(response.invocationResult.response?["types"] as? [String] == ["string", "number"])
            }
        }
    }

    @Test("2.2.3 invokeProcedure calls the procedure, and the delegate gets its result")
    func invoke() async throws {
        try await TestServer.connected { (_, client) async throws in
            let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count")
            let response = try await client.response { $0.invokeProcedure(data, with: $1) }
            #expect(response.invocationResult.response?["calls"] as? Int == 1)
        }
    }

    @Test("2.2.3 a procedure that throws, or is unknown, fails with PROCEDURE_ERROR")
    func failing() async throws {
        try await TestServer.connected { (_, client) async throws in
            for procedure in ["fail", "nothing"] {
                let failure = try await client.invoke(procedure).failure()
                #expect(failure.errorCode == WLErrorCodeProcedureError)
                #expect(failure.status == "200")
                #expect(failure.invocationResult.isSuccessful() == false)
            }
        }
    }

    @Test("2.2.4 timeout: a procedure that takes longer fails with REQUEST_TIMEOUT")
    func timeout() async throws {
        try await TestServer.connected { (_, client) async throws in
            let failure = try await client.invoke("slow", options: ["timeout": NSNumber(value: 100)]).failure()
            #expect(failure.errorCode == WLErrorCodeRequestTimeout)
        }
    }

    @Test("2.2.4 timeout 0 sets no limit")
    func noTimeout() async throws {
        try await TestServer.connected { (_, client) async throws in
            let response = try await client.invoke("slow", options: ["timeout": 0]).response()
            #expect(response.invocationResult.response?["done"] as? Bool == true)
        }
    }

    @Test("2.2.4 invocationContext comes back with success and with failure")
    func context() async throws {
        try await TestServer.connected { (_, client) async throws in
            let object = NSMutableString(string: "mine")
            let response = try await client.invoke("count", options: ["invocationContext": object]).response()
            #expect(response.invocationContext === object)
            let failure = try await client.invoke("fail", options: ["invocationContext": NSNumber(value: 1)]).failure()
            #expect(failure.invocationContext == NSNumber(value: 1))
        }
    }

    @Test("2.2.4 The options may be left out or nil")
    func noOptions() async throws {
        try await TestServer.connected { (_, client) async throws in
            let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count")
            #expect(try await client.response { $0.invokeProcedure(data, with: $1, options: nil) }.status == "200")
        }
    }

    @Test("2.3.1, 2.3.2 Strings, numbers, Booleans, lists, objects and nothing keep their types")
    func parameters() async throws {
        try await TestServer.connected { (_, client) async throws in
            let parameters: [Any] = [
                "string", NSNumber(value: 7), NSNumber(value: 65.878), NSNumber(value: true), NSNull(),
                ["a": [1]] as [String: Any], "héllo/☃ +&=%",
            ]
            let result = try await client.invoke("getDemoAccount", parameters).response().invocationResult.response
            #expect(
                result?["types"] as? [String] == ["string", "number", "number", "boolean", "null", "object", "string"])
            let echo = try #require(result?["echo"] as? [Any])
            #expect(echo.last as? String == "héllo/☃ +&=%")
            #expect(echo[2] as? Double == 65.878)
        }
    }

    @Test("2.3.2 A parameter that JSON lacks fails, and the error names it")
    func wrongParameter() async throws {
        try await TestServer.connected { (_, client) async throws in
            let failure = try await client.invoke("getDemoAccount", ["fine", Date()]).failure()
            #expect(failure.errorMsg.contains("parameter 2 is a Date"))
        }
    }

    @Test("Changes to the data after the call do not change the call")
    func changedLater() async throws {
        try await TestServer.connected { (_, client) async throws in
            let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "getDemoAccount")
            data?.setParameters(["first"])
            let response = try await client.response { client, delegate in
                client.invokeProcedure(data, with: delegate)
                data?.setParameters(["second"])
            }
            #expect(response.invocationResult.response?["echo"] as? [String] == ["first"])
        }
    }
}

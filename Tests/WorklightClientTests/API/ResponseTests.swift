import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("2.4 to 2.7, 2.10: responses", .defaultTimeLimit)
struct ResponseTests {
    /// Returns the outcome of a procedure call with this response.
    private func outcome(_ action: LoopbackServer.Reply) async throws -> Outcome {
        let server = try LoopbackServer { $0.number == 0 ? .json(#"{"userInfo":{}}"#) : action }
        let client = try server.client()
        try await client.connect()
        return try await client.invoke("p")
    }

    @Test("2.4.1, 2.4.2 A delegate is called once, on the application's queue, for success and for failure")
    func delegate() async throws {
        try await TestServer.connected { (_, client) async throws in
            for procedure in ["count", "fail"] {
                let delegate = RecordingDelegate()
                client.client.invokeProcedure(
                    WLProcedureInvocationData(adapter: "demoAdapter", procedure: procedure), with: delegate)
                let outcome = try await delegate.outcome()
                // The delegate calls that were queued before this block have ended now.
                await withCheckedContinuation { continuation in client.queue.async { continuation.resume() } }
                #expect(delegate.outcomes.value.count == 1)
                #expect(delegate.wasOnQueue.value == [true])
                switch outcome {
                case .success: #expect(procedure == "count")
                case .failed: #expect(procedure == "fail")
                }
            }
        }
    }

    @Test("2.5.1 status is the HTTP status as a string")
    func status() async throws {
        #expect(try await outcome(.json(#"{"isSuccessful":true}"#)).response().status == "200")
        #expect(try await outcome(.json(#"{"errorMsg":"x"}"#, status: 500)).failure().status == "500")
    }

    @Test("2.5.2, 2.7.1, 2.7.3 invocationResult is what the procedure returned")
    func result() async throws {
        let result = try await outcome(.json(#"{"isSuccessful":true,"a":{"b":[1,null]}}"#)).response().invocationResult
        #expect(result?.isSuccessful() == true)
        let inner = try #require(result?.response?["a"] as? [String: Any])
        #expect((inner["b"] as? [Any])?.first as? Int == 1)
        #expect(result?.getResponse()?.count == 2)
    }

    @Test("2.5.4 responseText is the string as the server wrote it, with its wrapping")
    func text() async throws {
        let response = try await outcome(.json(#"{"isSuccessful":true}"#)).response()
        #expect(response.responseText == "/*-secure-\n{\"isSuccessful\":true}*/")
    }

    @Test("2.5.5 getResponseJson is the root of the JSON, and nil for a page")
    func json() async throws {
        let response = try await outcome(.json(#"{"isSuccessful":true,"n":1}"#)).response()
        #expect(response.getResponseJson()?["n"] as? Int == 1)
        #expect(response.getJson()?["n"] as? Int == 1)
        #expect(try await outcome(.html("<p>hello</p>")).failure().getResponseJson() == nil)
    }

    @Test(
        "2.6.1, 2.6.2, 2.6.3, 2.6.5 A failure has message, code, result and body; 2.7.2 and the errors of the procedure"
    )
    func failure() async throws {
        let body = #"{"isSuccessful":false,"errors":["Runtime: boom","and more"]}"#
        let failure = try await outcome(.json(body)).failure()
        #expect(failure.errorMsg == "Procedure invocation error. Runtime: boom and more")
        #expect(failure.errorCode == WLErrorCodeProcedureError)
        #expect(failure.invocationResult.procedureInvocationErrors() as? [String] == ["Runtime: boom", "and more"])
        #expect(failure.responseText == "/*-secure-\n\(body)*/")
    }

    @Test("2.6.4 A failure without a response has its context, no status and an empty body")
    func noAnswer() async throws {
        let client = try SDKTestClient(WorklightSettings(host: "127.0.0.1", port: 1, applicationID: "A"))
        let failure = try await client.invoke("p", options: ["invocationContext": "mine"]).failure()
        #expect(failure.invocationContext == NSString("mine"))
        #expect(failure.status == nil)
        #expect(failure.responseText.isEmpty)
    }

    @Test(
        "2.6.6 Every code has a message",
        arguments: [
            (WLErrorCodeUnexpectedError, "Unexpected error."),
            (WLErrorCodeUnresponsiveHost, "Service currently unavailable."),
            (WLErrorCodeRequestTimeout, "Request timed out."),
            (WLErrorCodeProcedureError, "Procedure invocation error."),
            (WLErrorCodeApplicationVersionDenied, "Application version denied."),
        ])
    func message(code: WLErrorCode, text: String) {
        #expect(WLFailResponse.getErrorMessage(fromCode: code) == text)
    }

    @Test("2.6.7 The message of a response is its errorMsg, or its errors, or nothing")
    func messageFromJSON() {
        #expect(WLFailResponse.getErrorMessage(fromJSON: ["errorMsg": "it broke", "errors": ["no"]]) == "it broke")
        #expect(WLFailResponse.getErrorMessage(fromJSON: ["errors": ["a", "b"]]) == "a b")
        #expect(WLFailResponse.getErrorMessage(fromJSON: [:]) == nil)
        #expect(WLFailResponse.getErrorMessage(fromJSON: nil) == nil)
    }

    @Test(
        "2.6.8, 2.10 The names that servers use for codes",
        arguments: [
            ("UNEXPECTED_ERROR", 0), ("UNRESPONSIVE_HOST", 1), ("REQUEST_TIMEOUT", 2), ("PROCEDURE_ERROR", 3),
            ("APP_VERSION_ACCESS_DENIAL", 4), ("APPLICATION_VERSION_DENIED", 4), ("WHATEVER", 0),
        ] as [(String, WLErrorCode)])
    func codeFromJSON(name: String, code: WLErrorCode) {
        #expect(WLFailResponse.getWLErrorCode(fromJSON: ["errorCode": name]) == code)
    }

    @Test(
        "2.10 The meaning of a status that comes with no code",
        arguments: [
            (500, WLErrorCodeUnresponsiveHost), (503, WLErrorCodeUnresponsiveHost), (408, WLErrorCodeRequestTimeout),
            (404, WLErrorCodeUnexpectedError), (400, WLErrorCodeUnexpectedError),
        ])
    func statuses(status: Int, code: WLErrorCode) async throws {
        #expect(try await outcome(.html("<p>no</p>", status: status)).failure().errorCode == code)
    }

    @Test("2.10 The server's code takes precedence over the status")
    func named() async throws {
        let failure = try await outcome(
            .json(#"{"errorCode":"REQUEST_TIMEOUT","errorMsg":"too slow"}"#, status: 500)
        ).failure()
        #expect(failure.errorCode == WLErrorCodeRequestTimeout)
        #expect(failure.errorMsg.contains("too slow"))
    }

    @Test("A response without isSuccessful is not a success of a procedure")
    func missing() async throws {
        #expect(try await outcome(.json(#"{"a":1}"#)).failure().errorCode == WLErrorCodeProcedureError)
    }
}

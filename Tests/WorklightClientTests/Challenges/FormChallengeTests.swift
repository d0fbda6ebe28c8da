import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("2.2.12 example 1, 2.9: the form's challenge handler", .defaultTimeLimit)
struct FormChallengeTests {
    @Test(
        "2.2.12 example 1, 2.9.2, 2.9.3, 2.9.5, 2.9.7 A form's handler logs in, and the original request is sent again")
    func form() async throws {
        try await TestServer.withClient(.form) { (_, client) async throws in
            let handler = FormChallengeHandler()
            client.client.registerChallengeHandler(handler)
            #expect(try await client.connect().getResponseJson()?["userInfo"] != nil)
            let result = try await client.invoke("formSecret").response().invocationResult.response
            #expect(result?["user"] as? String == "bjones")
            #expect(handler.challenges.value == 1)
        }
    }

    @Test("The importer's name of registerChallengeHandler does the same")
    func importedName() async throws {
        try await TestServer.withClient(.form) { (_, client) async throws in
            client.client.register(FormChallengeHandler())
            #expect(try await client.connect().status == "200")
        }
    }

    @Test("2.9.1 A handler that does not take the response for a challenge lets it through")
    func notCustom() async throws {
        final class Blind: FormChallengeHandler {
            override func isCustomResponse(_ response: WLResponse!) -> Bool { false }
        }
        try await TestServer.withClient(.form) { (_, client) async throws in
            let handler = Blind()
            client.client.registerChallengeHandler(handler)
            let failure = try await client.failure { $0.wlConnect(with: $1) }
            #expect(failure.responseText.contains("j_security_check"))
            #expect(handler.challenges.value == 0)
        }
    }

    @Test("A wrong password is challenged again, and the right one succeeds")
    func secondTry() async throws {
        try await TestServer.withClient(.form) { (_, client) async throws in
            let handler = FormChallengeHandler(passwords: ["wrong", "password"])
            client.client.registerChallengeHandler(handler)
            #expect(try await client.connect().status == "200")
            #expect(handler.challenges.value == 2)
        }
    }

    @Test("submitSuccess after a wrong password leads to the challenge again, for the server has the last word")
    func optimist() async throws {
        final class Optimist: FormChallengeHandler {
            override func onSuccess(_ response: WLResponse!) { submitSuccess(response) }
        }
        try await TestServer.withClient(.form) { (_, client) async throws in
            let handler = Optimist(passwords: ["wrong", "wrong", "password"])
            client.client.registerChallengeHandler(handler)
            #expect(try await client.connect().status == "200")
            #expect(handler.challenges.value == 3)
        }
    }

    @Test("2.9.4 submitFailure fails the request that was challenged, with the response that it received")
    func refused() async throws {
        try await TestServer.withClient(.form) { (_, client) async throws in
            client.client.registerChallengeHandler(FormChallengeHandler(passwords: ["wrong"]))
            let failure = try await client.failure { $0.wlConnect(with: $1) }
            #expect(failure.errorMsg.contains("PushAppRealm"))
            #expect(failure.responseText.contains("j_security_check"))
            let later = try await client.invoke("count").failure()
            #expect(later.errorMsg.contains("call wlConnect first"))
        }
    }

    @Test("2.9.5 The form goes to the application's path, with its headers, and without other requests' fields")
    func wire() async throws {
        let server = try LoopbackServer { request in
            switch request.number {
            case 0: .html("<form action=j_security_check>")
            case 1: .json("{}")
            default: .json(#"{"userInfo":{}}"#)
            }
        }
        let client = try server.client()
        client.client.registerChallengeHandler(FormChallengeHandler())
        try await client.connect()
        let request = try #require(server.requests.value.dropFirst().first)
        #expect(request.head.hasPrefix("POST /wl/apps/services/api/MyNative/iOSnative/j_security_check HTTP/1.1"))
        #expect(request.form == ["isAjaxRequest": "true", "j_username": "bjones", "j_password": "password"])
        #expect(request.header("customHeader1") == "aaa")
        #expect(request.header("customHeader2") == "bbb")
    }

    @Test("2.9.5 An absolute address is another server, which gets neither cookies nor headers of this one")
    func absolute() async throws {
        let other = try LoopbackServer { _ in .json("{}") }
        let server = try LoopbackServer {
            $0.number == 0
                ? .http(200, "text/html", "j_security_check", ["Set-Cookie: secret=1; Path=/"])
                : .json(#"{"userInfo":{}}"#)
        }
        let client = try server.client()
        client.client.addGlobalHeader("X-Token", headerValue: "secret")
        let handler = FormChallengeHandler()
        handler.url = "http://localhost:\(other.port)/login?from=app"
        handler.method = "get"
        client.client.registerChallengeHandler(handler)
        try await client.connect()
        let request = try #require(other.requests.value.first)
        #expect(request.target == "/login?from=app&isAjaxRequest=true&j_password=password&j_username=bjones")
        #expect(request.method == "GET")
        #expect(request.header("Cookie") == nil)
        #expect(request.header("X-Token") == nil)
        #expect(request.header("x-wl-app-version") == nil)
        #expect(server.requests.value.count == 2)
    }

    @Test("Another server that asks for the device receives nothing")
    func foreignChallenge() async throws {
        let other = try LoopbackServer { _ in .challenge(#"{"wl_deviceNoProvisioningRealm":{"token":"t"}}"#) }
        let server = try LoopbackServer { _ in .html("j_security_check") }
        let client = try server.client()
        let handler = FormChallengeHandler()
        handler.url = "http://localhost:\(other.port)/login"
        client.client.registerChallengeHandler(handler)
        _ = try await client.failure { $0.wlConnect(with: $1) }
        #expect(other.requests.value.count == 1)
        #expect(other.requests.value.first?.header("Authorization") == nil)
    }

    @Test("2.9.5 An address with a slash before it is relative to the context root")
    func rooted() async throws {
        let server = try LoopbackServer {
            $0.number == 0 ? .html("j_security_check") : .json(#"{"userInfo":{}}"#)
        }
        let client = try server.client()
        let handler = FormChallengeHandler()
        handler.url = "/apps/services/j_security_check"
        client.client.registerChallengeHandler(handler)
        try await client.connect()
        #expect(server.requests.value[1].target == "/wl/apps/services/j_security_check")
    }

    @Test("2.9.5, 2.9.8 A form without a reply within its timeout comes to onFailure")
    func timeout() async throws {
        let server = try LoopbackServer { $0.number == 0 ? .html("j_security_check") : .nothing }
        let client = try server.client()
        let handler = FormChallengeHandler()
        handler.timeout = 100
        client.client.registerChallengeHandler(handler)
        let failure = try await client.failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg.contains("submitFailure"))
    }

    @Test("2.9.5 A timeout under 0 is the default, which is longer than a slow response")
    func defaultTimeout() async throws {
        try await TestServer.withClient(.form) { (_, client) async throws in
            let handler = FormChallengeHandler()
            handler.timeout = -1
            client.client.registerChallengeHandler(handler)
            #expect(try await client.connect().status == "200")
        }
    }

    @Test("2.9.5 Another method than GET and POST comes to onFailure")
    func method() async throws {
        let server = try LoopbackServer { _ in .html("j_security_check") }
        let client = try server.client()
        let handler = FormChallengeHandler()
        handler.method = "DELETE"
        client.client.registerChallengeHandler(handler)
        _ = try await client.failure { $0.wlConnect(with: $1) }
        #expect(server.requests.value.count == 1)
    }

    @Test("A handler that is registered with no client fails what it submits")
    func unregistered() {
        final class Kept: ChallengeHandler {
            let message = AwaitableValue("")
            override func onFailure(_ response: WLFailResponse!) {
                let text = response.errorMsg ?? ""
                message.update { $0 = text }
            }
        }
        let handler: Kept! = Kept(realm: "R")
        handler.submitAdapterAuthentication(WLProcedureInvocationData(adapter: "a", procedure: "p"))
        #expect(handler.message.value.contains("registerChallengeHandler comes before"))
    }
}

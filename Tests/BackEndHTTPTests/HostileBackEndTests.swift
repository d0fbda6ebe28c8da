import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct HostileBackEndTests {
    @Test("A refused connection is a readable failure") func refused() async throws {
        // Nothing listens there; a port that was free a moment ago may be another test's by now.
        let message = try await TestBackEnd(port: 1).get().message
        #expect(message == "Http request failed: no connection to 127.0.0.1:1: Connection refused")
    }

    @Test("Silence before the headers ends with the socket timeout") func silentHeaders() async throws {
        let server = try LoopbackServer { _ in .keep([]) }
        let message = try await TestBackEnd(port: server.port) { $0.socketTimeout = 100 }.get().message
        #expect(message.contains("silent for 100 ms"))
    }

    @Test("Silence in the middle of the body ends with the socket timeout") func silentBody() async throws {
        let server = try LoopbackServer { _ in .keep(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)) }
        let message = try await TestBackEnd(port: server.port) { $0.socketTimeout = 100 }.get().message
        #expect(message.contains("silent for 100 ms"))
    }

    @Test("The deadline ends what the socket timeout would not") func deadline() async throws {
        let server = try LoopbackServer { _ in .keep([]) }
        let message = try await TestBackEnd(port: server.port).get(deadline: .milliseconds(100)).message
        #expect(message.contains("time was over"))
    }

    @Test("A request's own socket timeout replaces the policy's") func ownTimeout() async throws {
        let server = try LoopbackServer { _ in .keep([]) }
        let request = try BackEndRequest(method: "get", path: "/", socketTimeout: .milliseconds(50))
        #expect(try await TestBackEnd(port: server.port).send(request).message.contains("silent for 50 ms"))
    }

    @Test("A back end that sends a byte now and then is ended by the deadline") func trickle() async throws {
        let listener = try TricklingServer(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8))
        let message = try await TestBackEnd(port: listener.port).get(deadline: .milliseconds(500)).message
        #expect(message.contains("time was over"))
        listener.stop()
    }

    @Test("A body that is cut off is a failure") func cutOff() async throws {
        let server = try LoopbackServer { _ in .close(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)) }
        #expect(try await TestBackEnd(port: server.port).get().message.contains("in the middle of its response"))
    }

    @Test(
        "A response that is not HTTP is a failure", arguments: ["hello\r\n\r\n", "HTTP/1.1 200 OK\r\na b: c\r\n\r\n"])
    func notHTTP(_ bytes: String) async throws {
        let server = try LoopbackServer { _ in .close(Array(bytes.utf8)) }
        #expect(try await TestBackEnd(port: server.port).get().message.hasPrefix("Http request failed: "))
    }

    @Test("An endless body is stopped at the limit") func endless() async throws {
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x61, count: 65_536) + Array("\r\n".utf8)
        let server = try LoopbackServer { _ in
            .flood(head: Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8), chunk: chunk)
        }
        let message = try await TestBackEnd(port: server.port, limit: 1 << 20).get().message
        #expect(message.contains("larger than the limit of 1048576 bytes"))
    }

    @Test("More bytes than announced are not taken for the next response") func tooManyBytes() async throws {
        let server = try LoopbackServer { _ in
            .keep(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb".utf8)
            )
        }
        let backEnd = try TestBackEnd(port: server.port)
        for _ in 0..<3 {
            let text = try await backEnd.get().text
            #expect(text == "a" || text == nil)
        }
    }

    @Test("Exponential entities are refused") func laughs() async throws {
        var body = "<!DOCTYPE a [<!ENTITY e0 'ha'>"
        for level in 1...20 { body += "<!ENTITY e\(level) '" + String(repeating: "&e\(level - 1);", count: 10) + "'>" }
        #expect(try await answer(body + "]><a>&e20;</a>", type: "text/xml").message.contains("FWLSE0311E"))
    }

    @Test("An external entity is refused") func externalEntity() async throws {
        let body = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"
        let outcome = try await answer(body, type: "text/xml")
        #expect(outcome.message.contains("/etc/passwd' outside of itself"))
    }

    @Test("An entity of the document's own is put in") func ownEntity() async throws {
        #expect(try await answer("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", type: "text/xml").json == #"{"a":"y"}"#)
    }

    @Test("An external document type is not fetched") func externalSubset() async throws {
        #expect(
            try await answer("<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a>1</a>", type: "text/xml").json
                == #"{"a":"1"}"#)
    }

    @Test("100,000 levels are a failure", arguments: ["text/xml", "text/html", "application/json"])
    func depth(_ type: String) async throws {
        let (open, close) = type == "application/json" ? ("[", "]") : ("<b>", "</b>")
        let body = String(repeating: open, count: 100_000) + String(repeating: close, count: 100_000)
        #expect(try await answer(body, type: type).message.contains("FWLSE031"))
    }
}

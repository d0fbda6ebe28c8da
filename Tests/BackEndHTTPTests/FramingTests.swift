import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct FramingTests {
    /// Responds with `bytes` to `/`, and with `next` to the next request on the same connection.
    private func outcome(_ bytes: String, method: String = "get", type: String? = nil) async throws -> BackEndOutcome {
        let server = try LoopbackServer { request in
            request.line.contains("/next") ? .ok("next") : .keep(Array(bytes.utf8))
        }
        let backEnd = try TestBackEnd(port: server.port)
        let outcome = try await backEnd.send(BackEndRequest(method: method, path: "/", returnedContentType: type))
        #expect(try await backEnd.get("/next").text == "next")
        #expect(server.connections == 1)
        return outcome
    }

    @Test("Trailers of a chunked body are not part of it, nor of the headers") func trailers() async throws {
        let outcome = try await outcome(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                + "3;name=value\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 7\r\nContent-Type: image/png\r\n\r\n")
        #expect(outcome.text == "abcde")
        guard case .response(let response) = outcome else { return }
        #expect(!response.head.headers.contains { $0.name == "X-Sum" })
    }

    @Test(
        "Interim responses before the response are skipped",
        arguments: ["100 Continue", "102 Processing", "103 Early Hints"])
    func interim(status: String) async throws {
        let outcome = try await outcome(
            "HTTP/1.1 \(status)\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", method: "post"
        )
        #expect(outcome.status == 200)
        #expect(outcome.text == "ok")
    }

    @Test("The response to HEAD has no body, whatever length it declares") func head() async throws {
        let outcome = try await outcome(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n", method: "head")
        #expect(outcome.content == .empty)
        guard case .response(let response) = outcome else { return }
        #expect(response.head.headers.contains { $0.name == "Content-Length" && $0.value == "5000" })
    }

    @Test(
        "A body of blanks or of a byte order mark alone is empty as JSON, XML and HTML",
        arguments: ["json", "xml", "html"], ["", " ", "\r\n\t ", "\u{FEFF}", "\u{FEFF}\n"])
    func blank(type: String, body: String) async throws {
        let outcome = try await outcome(
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", type: type)
        #expect(outcome.content == .empty, "\(outcome.message)")
    }

    @Test(
        "A body without a length ends with the connection",
        arguments: ["HTTP/1.0 200 OK", "HTTP/1.1 200 OK\r\nConnection: close"])
    func untilClose(head: String) async throws {
        let packed = try await python("hello", "gzip.compress(d)")
        let server = try LoopbackServer { _ in
            .close(Array("\(head)\r\nContent-Encoding: gzip\r\n\r\n".utf8) + packed)
        }
        #expect(try await TestBackEnd(port: server.port).get().text == "hello")
    }
}

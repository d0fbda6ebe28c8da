import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct ContentCodingTests {
    @Test(
        "A compressed body is unpacked, in each form that the field knows",
        arguments: [
            ("gzip", "gzip.compress(d)"), ("x-gzip", "gzip.compress(d)"), ("GZIP", "gzip.compress(d)"),
            ("gzip, identity", "gzip.compress(d)"),
            ("gzip", "gzip.compress(d[:3])+gzip.compress(d[3:])"),
            ("gzip", "gzip.compress(d)+bytes(512)"),
            ("deflate", "zlib.compress(d)"), ("deflate", "zlib.compress(d,0)"),
            ("deflate", "zlib.compress(d,9)[2:-4]"), ("deflate", "zlib.compress(d,0)[2:-4]"),
            ("deflate, gzip", "gzip.compress(zlib.compress(d))"), ("gzip, gzip", "gzip.compress(gzip.compress(d))"),
        ])
    func unpacked(coding: String, packing: String) async throws {
        let outcome = try await answer(
            python("hello hello", packing), type: "text/plain", headers: "Content-Encoding: \(coding)\r\n")
        #expect(outcome.text == "hello hello")
    }

    @Test("Codings in several headers are undone from the last to the first") func severalHeaders() async throws {
        let body = try await python("hello", "gzip.compress(zlib.compress(d))")
        let outcome = try await answer(
            body, type: "text/plain", headers: "Content-Encoding: deflate\r\nContent-Encoding: gzip\r\n")
        #expect(outcome.text == "hello")
    }

    @Test(
        "A body that is not compressed as its header says is read unchanged",
        arguments: ["gzip", "gzip, gzip", "identity", "utf-8", "none", ""])
    func plainBody(coding: String) async throws {
        let outcome = try await answer(
            Array(#"{"a":1}"#.utf8), type: "application/json", headers: "Content-Encoding: \(coding)\r\n")
        #expect(outcome.json == #"{"a":1}"#)
    }

    @Test(
        "A coding that is not supported is a failure that names it, with the response's status",
        arguments: ["zstd", "compress"])
    func unsupported(coding: String) async throws {
        let outcome = try await answer(
            [1, 2, 3], type: "text/plain", headers: "Content-Encoding: \(coding)\r\n", status: "201 Created")
        #expect(outcome.message.contains("its content coding is '\(coding)'"))
        #expect(outcome.status == 201)
    }

    @Test("Too many codings are a failure") func tooManyCodings() async throws {
        let outcome = try await answer(
            [1], type: "text/plain", headers: "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n")
        #expect(outcome.message.contains("6 content codings"))
    }

    @Test(
        "A packed body that is cut off or damaged is a failure",
        arguments: [
            ("gzip", "gzip.compress(d)[:-9]", "is cut off"), ("deflate", "zlib.compress(d)[:-5]", "is cut off"),
            ("gzip", "gzip.compress(d)[:-8]+bytes(8)", "is damaged"), ("deflate", "d", "is damaged"),
            ("gzip", "gzip.compress(d)+gzip.compress(d)[:-9]", "is cut off"),
        ])
    func damaged(coding: String, packing: String, reason: String) async throws {
        let outcome = try await answer(
            python("hello hello", packing), type: "text/plain", headers: "Content-Encoding: \(coding)\r\n")
        #expect(outcome.message.contains("cannot be decompressed: it \(reason)"))
        #expect(outcome.status == 200)
    }

    @Test(
        "stops a decompression bomb at the limit of the unpacked size",
        arguments: [("gzip", "gzip.compress(d*20000000)"), ("gzip, gzip", "gzip.compress(gzip.compress(d*20000000))")])
    func bomb(coding: String, packing: String) async throws {
        let outcome = try await answer(
            python("a", packing), type: "text/plain", headers: "Content-Encoding: \(coding)\r\n", limit: 1 << 20)
        #expect(outcome.message.contains("larger than the limit of 1048576 bytes"))
    }

    @Test("A body of many pieces arrives whole") func large() async throws {
        let packed = try await python("0123456789", "gzip.compress(d*1000000)")
        let outcome = try await answer(packed, type: "text/plain", headers: "Content-Encoding: gzip\r\n")
        #expect(outcome.text == String(repeating: "0123456789", count: 1_000_000))
    }

    @Test("Accept-Encoding has gzip, deflate and br, unless the adapter sets it")
    func acceptEncoding() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        for own in ["identity", "gzip;q=1.0, identity; q=0.5"] {
            _ = try await backEnd.send(
                BackEndRequest(method: "get", path: "/", headers: [("accept-encoding", own)]))
        }
        #expect(
            server.requests.value.map { $0.header("Accept-Encoding") }
                == ["gzip, deflate, br", "identity", "gzip;q=1.0, identity; q=0.5"])
    }

    /// Responses without a body: the request's method, the status, the framing, and what follows the header.
    private static let bodyless = [
        ("head", "200 OK", "Content-Length: 100", ""), ("head", "200 OK", "Transfer-Encoding: chunked", ""),
        ("get", "204 No Content", "Vary: Accept-Encoding", ""), ("get", "304 Not Modified", "Content-Length: 100", ""),
        ("get", "200 OK", "Content-Length: 0", ""), ("get", "200 OK", "Transfer-Encoding: chunked", "0\r\n\r\n"),
        ("post", "201 Created", "Content-Length: 0", ""), ("get", "404 Not Found", "Content-Length: 0", ""),
    ]

    @Test("A response without a body may declare a content coding", arguments: bodyless, ["gzip", "deflate", "br"])
    func noBody(of answer: (method: String, status: String, framing: String, rest: String), coding: String) async throws
    {
        let bytes = """
            HTTP/1.1 \(answer.status)\r\nContent-Encoding: \(coding)\r\nContent-Type: application/json\r
            \(answer.framing)\r\n\r\n\(answer.rest)
            """
        let server = try LoopbackServer { request in
            request.line.contains("/next") ? .ok("next") : .keep(Array(bytes.utf8))
        }
        let backEnd = try TestBackEnd(port: server.port)
        for type in [nil, "json", "xml", "plain", "html"] {
            // A POST without a body has a separate connection.
            let body = answer.method == "post" ? BackEndRequest.Body(contentType: "text/plain", content: "b") : nil
            let outcome = try await backEnd.send(
                BackEndRequest(method: answer.method, path: "/", body: body, returnedContentType: type))
            #expect(outcome.content == .empty, "\(outcome.message)")
            #expect(try await backEnd.get("/next").text == "next")
        }
        // Each of the five POSTs takes a new connection if the kept one was last used a second ago; no GET does.
        #expect(server.connections <= (answer.method == "post" ? 5 : 1))
    }

    /// "hello" in brotli.
    private static let hello: [UInt8] = [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]

    @Test("A body in brotli is unpacked") func brotli() async throws {
        let outcome = try await answer(Self.hello, type: "text/plain", headers: "Content-Encoding: br\r\n")
        #expect(outcome.text == "hello", "\(outcome.message)")
    }

    @Test("A body in brotli that is cut off, damaged or too large is a failure") func badBrotli() throws {
        for (body, limit) in [(Array(Self.hello.dropLast(3)), 100), ([0xFF, 0xFF, 0xFF], 100), (Self.hello, 4)] {
            #expect(throws: ConversionError.self) { try ContentCoding.decode(body, from: ["br"], limit: limit) }
        }
    }

    @Test("A redirect that declares a content coding is followed", arguments: ["302 Found", "303 See Other"])
    func redirect(status: String) async throws {
        let server = try LoopbackServer { request in
            request.line.contains("/there")
                ? .ok("there")
                : .ok("", status: status, headers: "Location: /there\r\nContent-Encoding: gzip\r\n")
        }
        #expect(try await TestBackEnd(port: server.port).get().text == "there")
    }
}

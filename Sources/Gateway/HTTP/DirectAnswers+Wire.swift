import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import PushModel
import Transport

extension DirectAnswers {
    /// Procedure calls and whatever else clients and back ends ask for by the protocol of the original: nearly all that comes.
    static func wire(_ server: WireServer, serverName: String) -> DirectAnswers {
        let settings = server.installation.settings
        let prefixes = ["apps/services/", "invoke", "adapters/"].map { "\(server.contextRoot)/\($0)" }
        let date = DateHeader(time: server.installation.time)
        return DirectAnswers(longestBody: settings.longestRequest) { head in
            (head.method == .POST || head.method == .GET) && prefixes.contains { head.uri.hasPrefix($0) }
        } answer: { head, body, channel in
            let request = Request(head: HTTPRequest(head), body: RequestBody(buffer: ByteBuffer()))
            let origin = RequestOrigin(
                of: request.head, peer: channel.remoteAddress?.ipAddress, local: channel.localAddress?.ipAddress,
                settings: settings)
            let call = await IncomingCall.reading(request, body, from: origin)
            let response: Response
            if let path = server.path(request.uri.path) {
                response = await server.answer(path, call)
            } else {
                response = WireAnswer.nothingHere
            }
            let content = await BodyCollector.content(of: response.body)
            return (HTTPResponseHead(response, length: content.readableBytes, date: date.text, serverName), content)
        }
    }
}

extension HTTPRequest {
    /// The head as it came. The parser has let it pass, so that its names are names.
    fileprivate init(_ head: HTTPRequestHead) {
        self.init(
            method: head.method == .POST ? .post : .get, scheme: nil, authority: head.headers.first(name: "host"),
            path: head.uri)
        headerFields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers where name.utf8.count != 4 || name.lowercased() != "host" {
            if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
        }
    }
}

extension HTTPResponseHead {
    fileprivate init(_ response: Response, length: Int, date: String, _ serverName: String) {
        var headers = HTTPHeaders()
        headers.reserveCapacity(response.headers.count + 3)
        for field in response.headers { headers.add(name: field.name.rawName, value: field.value) }
        if response.status != .noContent, response.headers[.contentLength] == nil {
            headers.add(name: "Content-Length", value: String(length))
        }
        headers.add(name: "Date", value: date)
        headers.add(name: "Server", value: serverName)
        self.init(
            version: .http1_1,
            status: .init(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase),
            headers: headers)
    }
}

/// Puts a body together that was made to be sent in parts.
private struct BodyCollector: ResponseBodyWriter {
    private final class Content {
        var buffer = ByteBuffer()
    }

    private let content: Content

    static func content(of body: ResponseBody) async -> ByteBuffer {
        let content = Content()
        // It throws what this writer throws, and it throws nothing.
        try? await body.write(BodyCollector(content: content))
        return content.buffer
    }

    mutating func write(_ buffer: ByteBuffer) {
        if content.buffer.readableBytes == 0 {
            content.buffer = buffer
        } else {
            content.buffer.writeImmutableBuffer(buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) {}
}

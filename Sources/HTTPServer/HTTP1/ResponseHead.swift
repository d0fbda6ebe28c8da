import HTTPTypes
import NIOCore

/// The head of an answer over HTTP/1, as bytes. Fields hold nothing that could end a line early: `HTTPField` sees to that.
enum ResponseHead {
    static func bytes(
        _ response: Response, connection: String?, strictTransportSecurity: String?, allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: 512)
        buffer.writeString("HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n")
        for field in response.headers
        where field.name != .contentLength && field.name != .connection
            && (field.name != .strictTransportSecurity || strictTransportSecurity == nil)
        {
            write(field.name.rawName, field.value, to: &buffer)
        }
        if let length = response.length { write("Content-Length", String(length), to: &buffer) }
        if let connection { write("Connection", connection, to: &buffer) }
        if let strictTransportSecurity { write("Strict-Transport-Security", strictTransportSecurity, to: &buffer) }
        buffer.writeStaticString("\r\n")
        return buffer
    }

    private static func write(_ name: String, _ value: String, to buffer: inout ByteBuffer) {
        buffer.writeString(name)
        buffer.writeStaticString(": ")
        buffer.writeString(value)
        buffer.writeStaticString("\r\n")
    }
}

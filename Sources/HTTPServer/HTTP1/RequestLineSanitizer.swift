import Core
import Glibc
import NIOCore

/// The handler before the HTTP/1 parser: counts the bytes of request lines and headers, and repairs request lines.
///
/// The repair percent-encodes the bytes from 0x80 on, which old tools send raw in a request's target and which the parser
/// refuses. It inserts nothing but `%` and hexadecimal digits, so the message's structure stays the same. The brackets,
/// quotes and braces of a raw `parameters=['a',{"b":1}]` pass the parser as they are.
///
/// To know where a request line begins, it follows each message to its end. It believes only itself *and* the parser: a
/// header ends where this handler saw an empty line and the parser has then reported a head; a body ends where this handler
/// counted the last byte (or saw an empty line, for a chunked one) and the parser has then reported the message's end. To
/// compare, the bytes are passed on in pieces that end there. If the two disagree, repairs stop on that connection, and the parser
/// alone decides: it refuses an unrepaired line with 400.
///
/// A buffer that needs no repair, and in which one message ends, is passed on without a copy.
final class RequestLineSanitizer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Position: Equatable {
        case line
        case head
        case body(left: Int)
        case chunks
        /// Lost: bytes pass as they are.
        case unknown
    }

    /// The part of an empty line that precedes the next byte.
    private enum LineEnd {
        case none
        case lineFeed
        case carriageReturn
    }

    private let guardian: HTTP1Guard
    private let maximumLine: Int
    private let maximumHeader: Int
    private let maximumHeaderLine: Int
    private var position = Position.line
    private var lineEnd = LineEnd.none
    /// True if the last piece that was passed on ended with an empty line.
    private var isAfterEmptyLine = false
    private var lineLength = 0
    private var headerLength = 0
    private var headerLineLength = 0
    private var heads = 0
    private var ends = 0

    init(guardian: HTTP1Guard, settings: HTTPServerSettings) {
        self.guardian = guardian
        maximumLine = settings.maximumRequestLine
        maximumHeader = settings.maximumHeaderBytes
        maximumHeaderLine = settings.maximumHeaderLine
    }

    func handlerAdded(context: ChannelHandlerContext) { guardian.output = context }

    func handlerRemoved(context: ChannelHandlerContext) { guardian.output = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var rest = unwrapInboundIn(data)
        while rest.readableBytes > 0, guardian.acceptsBytes {
            switch step(rest) {
            case .pass(let length, let isMended):
                guardian.willParse(length)
                if isMended {
                    let mended = PercentEncoding.encode(bytes: rest.readableBytesView.prefix(length)) { $0 < 0x80 }
                    rest.moveReaderIndex(forwardBy: length)
                    context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: mended)))
                } else if length == rest.readableBytes {
                    let whole = rest
                    rest = ByteBuffer()
                    context.fireChannelRead(wrapInboundOut(whole))
                } else if let piece = rest.readSlice(length: length) {
                    context.fireChannelRead(wrapInboundOut(piece))
                }
                compareWithParser()
            case .refuse(let refusal):
                guardian.refuse(refusal)
            }
        }
    }

    private enum Step {
        /// Hand on that many bytes.
        case pass(Int, isMended: Bool)
        case refuse(RejectionReason)
    }

    /// Processes the bytes up to the next position for a comparison with the parser.
    private func step(_ buffer: ByteBuffer) -> Step {
        isAfterEmptyLine = false
        return buffer.withUnsafeReadableBytes { bytes in
            switch position {
            case .line: line(bytes)
            case .head: header(bytes, from: 0)
            case .body(let left): body(bytes, left)
            case .chunks: .pass(emptyLine(in: bytes, from: 0) ?? bytes.count, isMended: false)
            case .unknown: .pass(bytes.count, isMended: false)
            }
        }
    }

    private func line(_ bytes: UnsafeRawBufferPointer) -> Step {
        var start = 0
        if lineLength == 0 {
            // The parser too ignores line ends before a request.
            while start < bytes.count, bytes[start] == 0x0D || bytes[start] == 0x0A { start += 1 }
            guard start < bytes.count else { return .pass(start, isMended: false) }
            guardian.requestBegins()
        }
        let lineFeed = ByteScan.firstLineFeed(in: bytes, from: start)
        let end = lineFeed.map { $0 + 1 } ?? bytes.count
        lineLength += end - start
        guard lineLength <= maximumLine else { return .refuse(.lineTooLong) }
        let isMended = ByteScan.hasHighByte(in: bytes, start..<end)
        guard lineFeed != nil else { return .pass(end, isMended: isMended) }
        position = .head
        lineEnd = .lineFeed
        (headerLength, headerLineLength) = (0, 0)
        return isMended ? .pass(end, isMended: true) : header(bytes, from: end)
    }

    private func header(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Step {
        let end = emptyLine(in: bytes, from: start) ?? bytes.count
        headerLength += end - start
        guard headerLength <= maximumHeader, !hasLongLine(in: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        else {
            return .refuse(.headerTooLarge)
        }
        return .pass(end, isMended: false)
    }

    /// Returns true if a header line, which may have begun in an earlier buffer, is too long.
    private func hasLongLine(in bytes: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start < bytes.count {
            let lineFeed = ByteScan.firstLineFeed(in: bytes, from: start)
            let end = lineFeed.map { $0 + 1 } ?? bytes.count
            headerLineLength += end - start
            if headerLineLength > maximumHeaderLine { return true }
            if lineFeed != nil { headerLineLength = 0 }
            start = end
        }
        return false
    }

    private func body(_ bytes: UnsafeRawBufferPointer, _ left: Int) -> Step {
        let length = min(left, bytes.count)
        position = .body(left: left - length)
        return .pass(length, isMended: false)
    }

    /// - Returns: the index after the next empty line, which may have begun in an earlier buffer.
    private func emptyLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            switch lineEnd {
            case .none:
                guard let found = ByteScan.firstLineFeed(in: bytes, from: index) else { return nil }
                lineEnd = .lineFeed
                index = found + 1
            case .lineFeed:
                if bytes[index] == 0x0A {
                    isAfterEmptyLine = true
                    return index + 1
                }
                lineEnd = bytes[index] == 0x0D ? .carriageReturn : .none
                index += 1
            case .carriageReturn:
                let isEmptyLine = bytes[index] == 0x0A
                lineEnd = isEmptyLine ? .lineFeed : .none
                index += 1
                if isEmptyLine {
                    isAfterEmptyLine = true
                    return index
                }
            }
        }
        return nil
    }

    /// After each piece: has the parser seen what this handler saw?
    private func compareWithParser() {
        // A refused or finished connection needs no more of this.
        guard guardian.acceptsBytes else { return }
        let (newHeads, newEnds) = (guardian.heads - heads, guardian.ends - ends)
        (heads, ends) = (guardian.heads, guardian.ends)
        switch (position, newHeads, newEnds) {
        case (.line, 0, 0), (.head, 0, 0), (.chunks, 0, 0), (.unknown, _, _): return
        case (.body(let left), 0, 0) where left > 0: return
        case (.head, 1, 1), (.body(left: 0), 0, 1), (.chunks, 0, 1):
            // A head or a chunked body ends with an empty line; anywhere else something is wrong.
            let isAtEnd = position == .body(left: 0) || isAfterEmptyLine
            position = isAtEnd ? .line : .unknown
            (lineLength, headerLength, lineEnd) = (0, 0, .none)
        case (.head, 1, 0) where isAfterEmptyLine:
            switch guardian.framing {
            case .length(let length) where length > 0: position = .body(left: length)
            case .chunked: position = .chunks
            case .length, .unclear: position = .unknown
            }
        default: position = .unknown
        }
    }
}

/// Searches in bytes, quickly enough for every request.
enum ByteScan {
    static func firstLineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Returns true if one of the bytes is 0x80 or more; it checks eight at a time.
    static func hasHighByte(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            if bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return true }
            index += 8
        }
        while index < range.upperBound {
            if bytes[index] >= 0x80 { return true }
            index += 1
        }
        return false
    }
}

import NIOCore

/// The offers of a client at the start of a TLS handshake (RFC 8446, 4.1.2; RFC 5246, 7.4.1.2), as far as the server's decisions depend on them.
struct ClientHello: Equatable {
    enum Reading: Equatable {
        /// More bytes are needed.
        case incomplete
        case whole(ClientHello)
        /// Not a ClientHello. BoringSSL says so to the client.
        case unreadable
    }

    private static let handshakeRecord: UInt8 = 22
    private static let clientHelloMessage: UInt8 = 1
    private static let protocolsExtension: UInt16 = 16
    /// No client sends so much.
    private static let mostBytes = 64 << 10

    /// The newest version before TLS 1.3 that the client speaks, in the protocol's encoding: 0x0303 for TLS 1.2.
    var version: UInt16
    /// The numbers of the cipher suites, those of TLS 1.3 among them.
    var cipherSuites: Set<UInt16>
    /// The protocols above TLS (RFC 7301); nil when the client does not negotiate them.
    var protocols: [String]?

    /// Reads what has arrived so far.
    static func read(_ buffer: ByteBuffer) -> Reading {
        guard buffer.readableBytes <= mostBytes else { return .unreadable }
        var records = buffer
        var message = ByteBuffer()
        // It may come in several records.
        while let type = records.readInteger(as: UInt8.self) {
            guard type == handshakeRecord else { return .unreadable }
            guard records.readInteger(as: UInt16.self) != nil, let length = records.readInteger(as: UInt16.self) else {
                return .incomplete
            }
            let part = records.readSlice(length: min(Int(length), records.readableBytes)) ?? ByteBuffer()
            message.writeImmutableBuffer(part)
            var rest = message
            guard let kind = rest.readInteger(as: UInt8.self) else { return .incomplete }
            guard kind == clientHelloMessage else { return .unreadable }
            guard let size = rest.readInteger24() else { return .incomplete }
            if let body = rest.readSlice(length: size) { return parse(body).map { .whole($0) } ?? .unreadable }
            guard part.readableBytes == Int(length) else { return .incomplete }
        }
        return .incomplete
    }

    private static func parse(_ body: ByteBuffer) -> ClientHello? {
        var body = body
        guard let version = body.readInteger(as: UInt16.self), body.readSlice(length: 32) != nil,
            body.readSlice8() != nil, var suites = body.readSlice16(),
            body.readSlice8() != nil
        else { return nil }
        var hello = ClientHello(version: version, cipherSuites: [])
        while let suite = suites.readInteger(as: UInt16.self) { hello.cipherSuites.insert(suite) }
        guard body.readableBytes > 0 else { return hello }
        guard var extensions = body.readSlice16() else { return nil }
        while let type = extensions.readInteger(as: UInt16.self) {
            guard var content = extensions.readSlice16() else { return nil }
            guard type == protocolsExtension else { continue }
            guard var names = content.readSlice16() else { return nil }
            var protocols: [String] = []
            while names.readableBytes > 0 {
                guard let name = names.readSlice8() else { return nil }
                protocols.append(String(buffer: name))
            }
            hello.protocols = protocols
        }
        return hello
    }
}

/// Slices behind their lengths.
extension ByteBuffer {
    fileprivate mutating func readInteger24() -> Int? {
        guard let (high, low) = readMultipleIntegers(as: (UInt8, UInt16).self) else { return nil }
        return Int(high) << 16 | Int(low)
    }

    fileprivate mutating func readSlice8() -> ByteBuffer? {
        readLengthPrefixedSlice(as: UInt8.self)
    }

    fileprivate mutating func readSlice16() -> ByteBuffer? {
        readLengthPrefixedSlice(as: UInt16.self)
    }
}

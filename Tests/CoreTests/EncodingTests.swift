import Core
import Testing

@Suite("Base64 for URLs")
struct Base64URLTests {
    @Test("Bytes are encoded without padding by default, and decoded either way", arguments: 0...4)
    func encoding(count: Int) {
        let bytes = [UInt8](repeating: 0xFB, count: count)
        #expect(Base64URL.encode(bytes) == ["", "-w", "-_s", "-_v7", "-_v7-w"][count])
        let padded = Base64URL.encode(bytes, isPadded: true)
        #expect(padded == ["", "-w==", "-_s=", "-_v7", "-_v7-w=="][count])
        for text in [padded, Base64URL.encode(bytes)] { #expect(Base64URL.decode(text) == bytes) }
    }

    @Test("Other strings are refused", arguments: ["A", "AB=", "AB===", "A=B=", "AB+/", "AB CD", "====", "AAAA=", "Ä"])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("decodes the standard Base64 alphabet only where it is accepted")
    func standardAlphabet() {
        #expect(Base64URL.decode("+/v7-w==", acceptsStandardAlphabet: true) == [0xFB, 0xFB, 0xFB, 0xFB])
        #expect(Base64URL.decode("AB!/", acceptsStandardAlphabet: true) == nil)
    }
}

@Suite("Percent-encoding and forms")
struct PercentEncodingTests {
    @Test("All bytes but those that are kept are encoded")
    func encoding() {
        #expect(PercentEncoding.encode("aZ09-._~ +*%é\n") == "aZ09-._~%20%2B%2A%25%C3%A9%0A")
        #expect(PercentEncoding.encode("!~ \u{7F}é", keeping: PercentEncoding.isVisible) == "!~%20%7F%C3%A9")
        #expect(PercentEncoding.encode(bytes: [0x41, 0xFF] as [UInt8]) { $0 < 0x80 } == Array("A%FF".utf8))
    }

    @Test("Digits of either case are decoded, and a plus where it is a blank")
    func decoding() {
        #expect(PercentEncoding.decode("a+b%2f%2F%C3%a9", plusIsBlank: false) == "a+b//é")
        #expect(PercentEncoding.decode("a+b%2B", plusIsBlank: true) == "a b+")
    }

    @Test("Damaged encoding and wrong UTF-8 are not decoded", arguments: ["%", "%4", "%zz", "%+1", "%FF", "%C0%AE"])
    func damaged(text: String) {
        #expect(PercentEncoding.decode(text[...], plusIsBlank: false) == nil)
        #expect(FormFields("a=\(text)&b=1")["a"] == text)
    }

    @Test("A form's fields are encoded and decoded")
    func form() {
        let text = FormFields.encode([("a b", "é&="), ("c", "*-._~\r\n")])
        #expect(text == "a+b=%C3%A9%26%3D&c=*-._%7E%0D%0A")
        let fields = FormFields("&\(text)&&d&a+b=2&=x")
        #expect(fields.all.map(\.name) == ["a b", "c", "d", "a b", ""])
        #expect(fields.all.map(\.value) == ["é&=", "*-._~\r\n", "", "2", "x"])
        #expect(fields["a b"] == "é&=" && fields["d"] == "" && fields["e"] == nil)
    }

    @Test("Fields beyond the limit are left out")
    func limit() {
        #expect(FormFields("a&b&c", mostFields: 2).all.map(\.name) == ["a", "b"])
    }
}

@Suite("Compression with zlib")
struct ZlibTests {
    private let plain = [UInt8](repeating: 0x20, count: 200_000)

    @Test("Bytes come back up to the limit", arguments: [Zlib.Frame.gzip, .gzipOrZlib])
    func limit(frame: Zlib.Frame) throws {
        let packed = try #require(Zlib.gzip(plain))
        #expect(packed.count < 1000)
        #expect(try Zlib.decompress(packed, frame, limit: plain.count) == plain)
        #expect(throws: ZlibError.tooLarge(limit: plain.count - 1)) {
            try Zlib.decompress(packed, frame, limit: plain.count - 1)
        }
    }

    @Test("The bytes after a stream are returned")
    func rest() throws {
        var output: [UInt8] = [1]
        let packed = try #require(Zlib.gzip([2])) + [3, 4]
        let rest = try Zlib.decompress(packed[...], .gzip, into: &output, limit: 2)
        #expect(rest == [3, 4])
        #expect(output == [1, 2])
    }

    @Test("Bytes that are cut off or damaged are refused")
    func damaged() throws {
        let packed = try #require(Zlib.gzip(plain))
        #expect(throws: ZlibError.cutOff) { try Zlib.decompress(Array(packed.dropLast()), .gzip, limit: plain.count) }
        #expect(throws: ZlibError.cutOff) { try Zlib.decompress([], .gzipOrZlib, limit: 1) }
        #expect(throws: ZlibError.damaged) { try Zlib.decompress(packed, .zlib, limit: plain.count) }
    }
}

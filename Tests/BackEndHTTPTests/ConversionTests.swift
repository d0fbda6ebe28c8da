import Foundation
import Testing

@testable import BackEndHTTP

@Suite struct ConversionTests {
    @Test("A JSON object stays the string that came") func object() async throws {
        let outcome = try await answer(#"{"b":1,"a":[true,null,-1.5e3,"x\u00e9"]}"#, type: "application/json")
        #expect(outcome.content == .object(json: #"{"b":1,"a":[true,null,-1.5e3,"x\u00e9"]}"#))
    }

    @Test("A JSON array is an array") func array() async throws {
        #expect(try await answer(" [1,2] ", type: "text/json").content == .array(json: " [1,2] "))
    }

    @Test("A JSON scalar is a string") func scalar() async throws {
        #expect(try await answer("42\n", type: "application/json").text == "42")
    }

    @Test("Invalid JSON fails with code, position and status") func brokenJSON() async throws {
        let outcome = try await answer(Array("{\"a\":1,\n oops}".utf8), type: "application/json", status: "500 Oh")
        #expect(outcome.message.contains("FWLSE0310E"))
        #expect(outcome.message.contains("line 2, column 2"))
        #expect(outcome.status == 500)
    }

    @Test("The script's type overrides the header") func override() async throws {
        let request = try BackEndRequest(method: "get", path: "/", returnedContentType: "json")
        #expect(try await answer("{}", type: "text/html", request: request).content == .object(json: "{}"))
    }

    @Test("XML becomes an object of the root element") func xml() async throws {
        let outcome = try await answer(
            """
            <?xml version="1.0"?>
            <rss version="2.0"><channel><title><![CDATA[A & B]]></title>
            <item id="1">one</item><item id="2"/><empty/></channel></rss>
            """, type: "text/xml")
        #expect(
            outcome.json
                == #"{"rss":{"version":"2.0","channel":{"title":"A & B","item":[{"id":"1","CDATA":"one"},{"id":"2"}],"empty":""}}}"#
        )
    }

    @Test(
        "A response requested as HTML that declares itself XML is read as XML",
        arguments: [
            "<?xml version='1.0'?><Envelope><Body>1</Body></Envelope>",
            "<s:Envelope xmlns:s='urn:s'><Body>1</Body></s:Envelope>",
        ])
    func xmlAsHTML(_ text: String) async throws {
        let request = try BackEndRequest(method: "get", path: "/", returnedContentType: "HTML")
        #expect(try await answer(text, type: "text/xml", request: request).json == #"{"Envelope":{"Body":"1"}}"#)
    }

    @Test(
        "A page stays HTML, in XML or not, and so does incomplete XML",
        arguments: [
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p>1</p></body></html>",
            "<p>1", "<?xml version='1.0'?><p>1",
        ])
    func pages(_ text: String) async throws {
        let json = try #require(try await answer(text, type: "text/html").json)
        #expect(json.hasPrefix(#"{"html":{"#) && json.contains(#""body":{"p":"1"}"#))
    }

    @Test("Prefixes are dropped and the order of names is kept") func prefixes() async throws {
        let outcome = try await answer(
            "<s:Envelope xmlns:s='urn:s'><s:Body><r:z xmlns:r='urn:r'>1</r:z><a>2</a><z>3</z></s:Body></s:Envelope>",
            type: "application/soap+xml")
        #expect(outcome.json == #"{"Envelope":{"Body":{"z":["1","3"],"a":"2"}}}"#)
    }

    @Test("Mixed content is joined in CDATA") func mixed() async throws {
        #expect(try await answer("<p> a <b>c</b> d </p>", type: "text/xml").json == #"{"p":{"b":"c","CDATA":"a  d"}}"#)
    }

    @Test("Broken XML fails with code and position") func brokenXML() async throws {
        let message = try await answer("<a>\n<b></a>", type: "text/xml").message
        #expect(message.contains("FWLSE0311E"))
        #expect(message.contains("line 2"))
    }

    @Test("HTML is tidied") func html() async throws {
        let json = try await answer("<p>one<p class=x>two", type: "text/html").json
        #expect(json == #"{"html":{"body":{"p":["one",{"class":"x","CDATA":"two"}]}}}"#)
    }

    @Test(
        "A type that contains json or javascript is JSON",
        arguments: [
            "application/vnd.api+json", "text/json; charset=utf-8", "text/javascript", "application/x-javascript",
        ])
    func jsonTypes(_ type: String) async throws {
        #expect(try await answer(#"{"a":1}"#, type: type).content == .object(json: #"{"a":1}"#))
    }

    @Test(
        "CSV, CSS and other types become strings",
        arguments: ["text/csv", "text/css", "text/plain", "x/unknown"])
    func texts(_ type: String) async throws {
        #expect(try await answer("a,b\n1,2", type: type).text == "a,b\n1,2")
    }

    @Test("A picture is base64") func binary() async throws {
        #expect(try await answer([0xFF, 0xD8, 0x00], type: "image/jpeg").text == "/9gA")
    }

    @Test(
        "An empty body is not a failure, whatever its type", arguments: ["application/json", "text/xml", "text/html"])
    func empty(_ type: String) async throws {
        #expect(try await answer("", type: type).content == .empty)
    }

    @Test("void leaves the body alone") func void() async throws {
        let request = try BackEndRequest(method: "get", path: "/", transformation: .void)
        #expect(try await answer("<a/>", type: "text/xml", request: request).text == "<a/>")
    }

    @Test(
        "The header's charset is honoured",
        arguments: [
            ("iso-8859-1", [0xE9], "é"), ("windows-1252", [0x80], "€"), ("Shift_JIS", [0x93, 0xFA], "日"),
            ("EUC-KR", [0xC7, 0xD1], "한"), ("GBK", [0xD6, 0xD0], "中"), ("Big5", [0xA4, 0xA4], "中"),
            ("utf-16le", [0x41, 0x00], "A"), ("utf-8", [0x61, 0xFF], "a\u{FFFD}"),
            ("euc-jp", [0x61, 0x8F], "a\u{FFFD}"),
        ] as [(String, [UInt8], String)])
    func charsets(_ name: String, _ bytes: [UInt8], _ text: String) async throws {
        #expect(try await answer(bytes, type: "text/plain; charset=\"\(name)\"").text == text)
    }

    @Test("The script's encoding comes before the header's") func requestedEncoding() async throws {
        let request = try BackEndRequest(method: "get", path: "/", returnedContentEncoding: "iso-8859-1")
        #expect(try await answer([0xE9], type: "text/plain; charset=utf-8", request: request).text == "é")
    }

    @Test("The XML declaration's encoding is honoured when the header names none") func declaredEncoding() async throws
    {
        let body = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try await answer(body, type: "text/xml").json == #"{"a":"é"}"#)
    }

    @Test("A byte order mark sets the encoding and is not a part of the content") func mark() async throws {
        #expect(try await answer([0xFE, 0xFF, 0x00, 0x41], type: "text/plain").text == "A")
        #expect(
            try await answer([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], type: "application/json").content == .object(json: "{}"))
    }
}

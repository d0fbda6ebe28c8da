import Foundation
import TestSupport
import Testing

@testable import BackEndHTTP

@Suite struct StylesheetTests {
    private static let frame = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"

    /// Returns the output of the stylesheet `a.xsl`, made of `content`, for `body`.
    private func transform(
        _ content: String, _ body: String = "<r><i>1</i><i>2</i></r>", type: String = "text/xml",
        files: [String: String] = [:], deadline: Duration = .noLimit, file: String = "a.xsl"
    ) async throws -> BackEndOutcome {
        let folder = try TemporaryFolder()
        try folder.write(Self.frame + "<xsl:output method='text'/>" + content + "</xsl:stylesheet>", to: "a.xsl")
        for (name, text) in files { try folder.write(text, to: name) }
        let request = try BackEndRequest(method: "get", path: "/", transformation: .stylesheet(file))
        return try await answer(Array(body.utf8), type: type, folder: folder.url, request: request, deadline: deadline)
    }

    @Test("A stylesheet makes JSON of XML") func xml() async throws {
        let outcome = try await transform(
            "<xsl:template match='/'>{\"n\":[<xsl:for-each select='//i'><xsl:if test='position()>1'>,</xsl:if>"
                + "<xsl:value-of select='.'/></xsl:for-each>]}</xsl:template>")
        #expect(outcome.content == .object(json: "{\"n\":[1,2]}"), "\(outcome.message)")
    }

    @Test("A stylesheet makes JSON of HTML") func html() async throws {
        let outcome = try await transform(
            "<xsl:template match='/'>{\"t\":\"<xsl:value-of select='//h1'/>\"}</xsl:template>", "<h1>x<br>y",
            type: "text/html")
        #expect(outcome.json == "{\"t\":\"xy\"}")
    }

    @Test("A stylesheet's output is read as a JavaScript object literal, as the one in Studio's template writes it")
    func literal() async throws {
        let outcome = try await transform(
            """
            <xsl:template match="/feed">
                { 'Items': [
                    <xsl:for-each select="entry">
                        { 'title': '<xsl:value-of select="title"/>', text: "<xsl:value-of select="text"/>" },
                    </xsl:for-each>
                ] }
            </xsl:template>
            """,
            "<feed><entry><title>One</title><text>first\nsecond</text></entry><entry><title>Two</title></entry></feed>")
        #expect(
            outcome.json == #"{"Items":[{"title":"One","text":"first\u000asecond"},{"title":"Two","text":""}]}"#,
            "\(outcome.message)")
    }

    @Test("An apostrophe of the document that ends a string is reported with its position")
    func apostrophe() async throws {
        let message = try await transform(
            "<xsl:template match='/'>{'t':'<xsl:value-of select='r'/>'}</xsl:template>", "<r>it's</r>"
        ).message
        #expect(
            message.contains(
                #"FWLSE0311E: the XSL transformation failed: the output of a.xsl is not a JavaScript object literal: the string ends before this: a single quote in it must be escaped, as \', by the stylesheet, at line 1, column 10 of the output, near '{'t':'it's'}'"#
            ), "\(message)")
    }

    @Test(
        "A stylesheet's output keeps its characters in any saved or declared encoding",
        arguments: ["ISO-8859-1", "UTF-16", "UTF-8"])
    func encodings(_ name: String) throws {
        let folder = try TemporaryFolder()
        let sheet =
            "<?xml version='1.0' encoding='\(name)'?>" + Self.frame
            + "<xsl:output method='text' encoding='\(name)'/><xsl:template match='/'>{\"ä\":\"<xsl:value-of select='.'/>é\"}"
            + "</xsl:template></xsl:stylesheet>"
        let encoding: String.Encoding = name == "UTF-8" ? .utf8 : name == "UTF-16" ? .utf16 : .isoLatin1
        try #require(sheet.data(using: encoding)).write(to: folder.url.appending(path: "a.xsl"))
        let output = try Stylesheets(folder: folder.url).transform(
            "<r>ü</r>", isHTML: false, with: "a.xsl", deadline: .now + .noLimit)
        #expect(output == #"{"ä":"üé"}"#)
    }

    @Test("A stylesheet that writes nothing is a failure that says what is expected") func nothing() async throws {
        let message = try await transform("<xsl:template match='/'/>").message
        #expect(message.contains("a.xsl wrote nothing; expected a JavaScript object such as"))
    }

    @Test("The check compiles each stylesheet of a folder and runs it on empty documents") func check() throws {
        func sheet(_ content: String) -> String {
            Self.frame.replacing("'>", with: "' xmlns:s='urn:s'>")
                + "<xsl:output method='text'/>\n\(content)</xsl:stylesheet>"
        }
        let folder = try TemporaryFolder([
            "good.xsl": sheet(
                "<xsl:template match='/rss'>{'Items':[<xsl:for-each select='i'>1,</xsl:for-each>]}</xsl:template>"),
            "other.xsl": sheet("<xsl:template match='/rss/channel'>{}</xsl:template>"),
            "helper.xsl": sheet("<xsl:template name='t'>oops</xsl:template>"),
            "including.xsl": sheet("<xsl:include href='helper.xsl'/><xsl:template match='/'>[]</xsl:template>"),
            "broken.xsl": sheet("<xsl:template match='/['/>"),
            "unclosed.xslt": sheet("<xsl:template>"),
            "deep/text.xsl": sheet("<xsl:template match='/'>oops</xsl:template>"),
            "soap.xsl": sheet("<xsl:template match='/s:Envelope'>soap</xsl:template>"),
            "notes.txt": "oops",
        ])
        let findings = StylesheetCheck(folder: folder.url).findings()
        #expect(findings.map(\.file) == ["broken.xsl", "deep/text.xsl", "soap.xsl", "unclosed.xslt"])
        #expect(findings.map(\.isCertain) == [true, false, false, true])
        #expect(findings.map(\.line) == [2, nil, nil, 2])
        #expect(findings[1].message.contains("expected '{' or '[', at line 1, column 1 of the output, near 'oops'"))
        #expect(findings[2].message.contains("near 'soap'"))
    }

    @Test("The check runs a stylesheet whose namespace holds signs of XML") func checkedNamespace() throws {
        let folder = try TemporaryFolder([
            "a.xsl": Self.frame.replacing("'>", with: "' xmlns:s='urn:a?b=1&amp;c=&lt;&quot;d&quot;>'>")
                + """
                <xsl:output method='text'/><xsl:template match='/s:Envelope'>soap</xsl:template>
                <xsl:template match='/empty'>{}</xsl:template></xsl:stylesheet>
                """
        ])
        let findings = StylesheetCheck(folder: folder.url).findings()
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("near 'soap'") == true)
    }

    @Test("Output that is not an object literal is a failure") func notJSON() async throws {
        let message = try await transform("<xsl:template match='/'>oops</xsl:template>").message
        #expect(message.contains("a.xsl"))
        #expect(message.contains("FWLSE0311E"))
    }

    @Test("A stylesheet that is broken is a failure with its reason") func broken() async throws {
        #expect(try await transform("<xsl:template match='/['/>").message.contains("a.xsl"))
        #expect(try await transform("<xsl:template>").message.contains("not an XSL stylesheet"))
    }

    @Test(
        "A file outside of the adapter's folder is not a stylesheet",
        arguments: ["../x.xsl", "/etc/passwd", "missing.xsl"])
    func outside(_ file: String) async throws {
        #expect(try await transform("", file: file).message.contains("there is no \(file) in the adapter's folder"))
    }

    @Test("A stylesheet that is written in place counts although its size and time stay") func setBack() async throws {
        let sheet = { (letter: String) in
            Self.frame + "<xsl:output method='text'/><xsl:template match='/'>\(letter)</xsl:template></xsl:stylesheet>"
        }
        let folder = try TemporaryFolder(["a.xsl": sheet("1")])
        let stylesheets = Stylesheets(folder: folder.url)
        let transform = {
            try stylesheets.transform("<r/>", isHTML: false, with: "a.xsl", deadline: .now + .noLimit)
        }
        #expect(try transform() == "1")
        try folder.rewrite(sheet("2"), in: "a.xsl")
        #expect(try transform() == "2")
    }

    @Test("Another stylesheet of the folder may be included") func include() async throws {
        let other = Self.frame + "<xsl:template match='/'>{}</xsl:template></xsl:stylesheet>"
        let outcome = try await transform("<xsl:include href='b.xsl'/>", files: ["b.xsl": other])
        #expect(outcome.json == "{}", "\(outcome.message)")
    }

    @Test("document() reads within the folder") func document() async throws {
        let outcome = try await transform(
            "<xsl:template match='/'>{\"a\":<xsl:value-of select=\"document('b.xml')/b\"/>}</xsl:template>",
            files: ["b.xml": "<b>3</b>"])
        #expect(outcome.json == "{\"a\":3}", "\(outcome.message)")
    }

    @Test(
        "document() reads no other file",
        arguments: ["/etc/passwd", "file:///etc/passwd", "../x.xml", "http://127.0.0.1:1/x"])
    func noDocument(_ address: String) async throws {
        let outcome = try await transform(
            "<xsl:template match='/'>{\"a\":\"<xsl:value-of select=\"document('\(address)')\"/>\"}</xsl:template>")
        #expect(outcome.message.contains("not in the adapter's folder"), "\(outcome)")
    }

    @Test("An external entity of a stylesheet or of the body is not read") func entities() async throws {
        let body = "<!DOCTYPE r [<!ENTITY x SYSTEM 'a.xsl'>]><r>&x;</r>"
        let outcome = try await transform("<xsl:template match='/'>{}</xsl:template>", body)
        #expect(outcome.message.contains("outside of itself"))
    }

    @Test("A stylesheet cannot write files") func noWriting() async throws {
        let path = NSTemporaryDirectory() + "fresh-written-\(UUID())"
        let outcome = try await transform(
            "<xsl:template match='/'>{}<e:document xmlns:e='http://exslt.org/common' href='\(path)' method='text'>x</e:document>"
                + "</xsl:template>")
        #expect(outcome.message.contains("FWLSE0311E"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("Endless recursion is a failure") func recursion() async throws {
        let message = try await transform(
            "<xsl:template match='/' name='t'><xsl:call-template name='t'/></xsl:template>"
        ).message
        #expect(message.contains("FWLSE0311E"))
    }

    @Test("2,000 levels of recursion are none") func deepRecursion() async throws {
        let outcome = try await transform(
            "<xsl:template match='/' name='t'><xsl:param name='n' select='2000'/><xsl:choose><xsl:when test='$n = 0'>{}</xsl:when>"
                + "<xsl:otherwise><xsl:call-template name='t'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template>"
                + "</xsl:otherwise></xsl:choose></xsl:template>")
        #expect(outcome.json == "{}", "\(outcome.message)")
    }

    @Test("A stylesheet that takes too long is stopped at the deadline") func endless() async throws {
        let outcome = try await transform(
            "<xsl:template match='/' name='t'><xsl:param name='n' select='60'/><xsl:if test='$n > 0'>"
                + "<xsl:call-template name='t'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template>"
                + "<xsl:call-template name='t'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template>"
                + "</xsl:if></xsl:template>", deadline: .milliseconds(300))
        #expect(outcome.message.contains("time was over"))
    }

    @Test("A stylesheet compiled after its call was abandoned is not applied") func givenUp() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Self.frame + "<xsl:template match='/'><xsl:message>applied</xsl:message></xsl:template></xsl:stylesheet>",
            to: "a.xsl")
        let path = try #require(LibXML.Permission.resolve(folder.path))
        let run = TransformationRun(cpu: nil)
        #expect(throws: ConversionError.self) { try run.wait(until: .now) }
        try LibXML.withPermission(folder: path) { permission in
            let stylesheet = try CompiledStylesheet(path: path + "/a.xsl", name: "a.xsl")
            let document = try MarkupDocument.parse("<a/>", isHTML: false)
            // A message of an instruction would be the reason.
            #expect(throws: ConversionError.transformation("a.xsl: unknown error")) {
                try stylesheet.apply(to: document, run: run, permission: permission)
            }
        }
    }

    @Test("A stylesheet that changes on disk is compiled again") func changes() throws {
        let folder = try TemporaryFolder()
        let sheets = Stylesheets(folder: folder.url)
        for text in ["{}", "{ }", "[ ]"] {
            try folder.write(
                Self.frame
                    + "<xsl:output method='text'/><xsl:template match='/'>\(text)</xsl:template></xsl:stylesheet>",
                to: "a.xsl")
            let made = try sheets.transform("<a/>", isHTML: false, with: "a.xsl", deadline: .now + .noLimit)
            #expect(made == text)
        }
    }
}

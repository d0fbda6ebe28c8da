import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("Encodings of a project's files")
struct FileEncodingTests {
    /// Reads a project with these files, each saved unchanged.
    private func read(_ files: [String: Data]) throws -> Project {
        let folder = try TemporaryFolder(["adapters/.keep": ""])
        for (path, data) in files {
            try folder.write("", to: path)
            try data.write(to: folder.url.appending(path: path))
        }
        return withExtendedLifetime(folder) { Project(reading: folder.url) }
    }

    private static func xml(declaring encoding: String?) -> String {
        let declared = encoding.map { " encoding=\"\($0)\"" } ?? ""
        return """
            <?xml version="1.0"\(declared)?>
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
            <displayName>Café für Ärzte</displayName><procedure name="run"/>
            </wl:adapter>
            """
    }

    /// The encodings in which a file can be saved, and those that its XML declaration names.
    enum Saved: CaseIterable {
        case latin1, latin9, windows, utf8, markedUTF8, littleUTF16, bigUTF16, unmarkedUTF16

        var declared: String? {
            switch self {
            case .latin1: "ISO-8859-1"
            case .latin9: "iso-8859-15"
            case .windows: "windows-1252"
            case .utf8: "UTF-8"
            case .markedUTF8: nil
            case .littleUTF16, .bigUTF16, .unmarkedUTF16: "UTF-16"
            }
        }

        func data(_ text: String) throws -> Data {
            switch self {
            case .latin1, .latin9, .windows: try #require(text.data(using: .isoLatin1))
            case .utf8: Data(text.utf8)
            case .markedUTF8: Data("\u{FEFF}\(text)".utf8)
            case .littleUTF16: try #require("\u{FEFF}\(text)".data(using: .utf16LittleEndian))
            case .bigUTF16: try #require("\u{FEFF}\(text)".data(using: .utf16BigEndian))
            case .unmarkedUTF16: try #require(text.data(using: .utf16LittleEndian))
            }
        }
    }

    @Test("An adapter's descriptor is read in the encoding of its BOM or declaration", arguments: Saved.allCases)
    func descriptor(saved: Saved) throws {
        let project = try read([
            "adapters/A/A.xml": try saved.data(Self.xml(declaring: saved.declared)),
            "adapters/A/A-impl.js": Data("function run() {}".utf8),
        ])
        #expect(project.problems == [])
        #expect(project.adapters.first?.descriptor.displayName == "Café für Ärzte")
    }

    @Test("authenticationConfig.xml and an application's descriptor are read alike", arguments: Saved.allCases)
    func otherDescriptors(saved: Saved) throws {
        let head = "<?xml version='1.0'\(saved.declared.map { " encoding='\($0)'" } ?? "")?>\n"
        let application = """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <displayName>Größe</displayName></application>
            """
        let authentication = """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"><realms>
            <realm name="Vertrauenswürdig" loginModule="M"><className>x.HeaderAuthenticator</className></realm>
            </realms><loginModules><loginModule name="M"><className>x.Y</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """
        let project = try read([
            "apps/App/application-descriptor.xml": try saved.data(head + application),
            "server/conf/authenticationConfig.xml": try saved.data(head + authentication),
        ])
        #expect(project.problems == [])
        #expect(project.application(id: "App")?.displayName == "Größe")
        #expect(project.authentication.realms.map(\.name) == ["Vertrauenswürdig"])
    }

    @Test(
        "A descriptor that is not what it declares is read as Windows-1252, with a warning", arguments: [nil, "UTF-8"])
    func wrongDeclaration(encoding: String?) throws {
        let project = try read([
            "adapters/A/A.xml": try #require(Self.xml(declaring: encoding).data(using: .isoLatin1)),
            "adapters/A/A-impl.js": Data("function run() {}".utf8),
        ])
        #expect(project.adapters.first?.descriptor.displayName == "Café für Ärzte")
        #expect(project.problems.map(\.place) == ["adapters/A/A.xml:3"])
        #expect(project.problems.first?.severity == .warning)
        #expect(project.problems.first?.message.contains("read as Windows-1252") == true)
    }

    @Test("An entity in UTF-16 is refused as one in UTF-8 is")
    func entity() throws {
        let xml = "<!DOCTYPE a [\n<!ENTITY x 'y'>]><a>&x;</a>"
        let project = try read(["adapters/A/A.xml": try #require("\u{FEFF}\(xml)".data(using: .utf16BigEndian))])
        #expect(project.adapters == [])
        #expect(project.problems.map(\.place) == ["adapters/A/A.xml:2"])
        #expect(project.problems.first?.message.hasPrefix("an entity is declared") == true)
    }

    @Test("A mistake has its own line and column when the encoding is declared")
    func place() throws {
        let xml = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a>é</b>"
        let project = try read(["adapters/A/A.xml": try #require(xml.data(using: .isoLatin1))])
        #expect(project.problems.first?.line == 2)
        #expect(
            project.problems.first?.message == "not well-formed XML: the closing tag </b> does not match <a> of line 2")
    }

    @Test(
        "A script is read by its byte order mark, else as UTF-8",
        arguments: [Saved.utf8, .markedUTF8, .littleUTF16, .bigUTF16])
    func script(saved: Saved) throws {
        let project = try read([
            "adapters/A/A.xml": Data(adapterXML("A").utf8),
            "adapters/A/A-impl.js": try saved.data("function run() { return { t: 'é€' }; }"),
        ])
        #expect(project.problems == [])
        #expect(project.adapters.first?.script == "function run() { return { t: 'é€' }; }")
    }

    @Test("A script in Latin-1 is read, with a note and the line of its first such character")
    func latin1Script() throws {
        let project = try read([
            "adapters/A/A.xml": Data(adapterXML("A").utf8),
            // The last byte is the euro sign of Windows.
            "adapters/A/A-impl.js": Data("var a;\nvar b = '".utf8 + [0xE9, 0x80] + "';\nfunction run() {}".utf8),
        ])
        #expect(project.adapters.first?.script == "var a;\nvar b = 'é€';\nfunction run() {}")
        #expect(
            project.problems.map(\.description) == [
                "adapters/A/A-impl.js:2: note: the file is not UTF-8 and is read as Windows-1252, which includes Latin-1; "
                    + "save it as UTF-8"
            ])
    }
}

import AdapterTestRunner
import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("Encodings of test files")
struct TestFileEncodingTests {
    @Test("Tests and required modules are read in UTF-8, in UTF-16 with a BOM, and else in Latin-1")
    func encodings() async throws {
        let test = "const text = require('./text.js'); it('é', () => expect(text.e).toBe('\\u00e9'));"
        let module = "exports.e = 'é';"
        for encoding in [String.Encoding.utf8, .utf16, .isoLatin1] {
            let folder = try TemporaryFolder([
                "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}",
            ])
            for (name, text) in ["A.test.js": test, "text.js": module] {
                try #require(text.data(using: encoding)).write(to: folder.url.appending(path: "adapters/A/\(name)"))
            }
            let runner = AdapterTestRunner.patient(Project(reading: folder.url))
            let outcome = try #require(await runner.run(TestFile.all(in: folder.url)).files.first)
            #expect(outcome.summary == ["é: passed"], "\(encoding): \(outcome.messages)")
        }
    }
}

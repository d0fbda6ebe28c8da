import Foundation
import TestSupport
import Testing

@testable import SubscriptionImport

@Suite("Damaged files of devices", .defaultTimeLimit)
struct DamagedFileTests {
    private static let header = "application,device,token\n"
    private static let dump = """
        -- MySQL dump 10.13  Distrib 5.7.44
        CREATE TABLE `D` (
          `ID` int(11) NOT NULL,
          `TOKEN` varchar(200)
        );
        INSERT INTO `D` VALUES (1,'a'),
        (2,'b');

        """

    @Test(
        "A damaged file is an error with its line",
        arguments: [
            ("a.csv", "", "a.csv: it is empty"), ("a.csv", "a,,b\n", "a.csv:1: expected a header line"),
            ("a.csv", "a,A\n", "a.csv:1: expected a header line"),
            ("a.csv", header + "Shop,phone,x\nShop,ph", "a.csv:3: found 2 fields, expected 3 as in the header"),
            (
                "a.csv", header + "Shop,phone,x\nShop,\"pho\nne",
                "a.csv:3: the field that begins here has no quotation mark"
            ),
            ("a.csv", header + "Shop,\"phone\" x,y\n", "a.csv:2: expected a delimiter after the quotation mark"),
            ("a.json", #"[{"device": "x"}, {"device": "#, "a.json:1: the object that begins here does not end"),
            ("a.json", "[{\"device\": \"x\"},\n", "a.json:2: the array does not end"),
            ("a.json", "[{\"device\": x}]", "a.json:1: expected a JSON object"),
            ("a.json", "\n7", "a.json:2: expected an array of JSON objects"),
            ("a.sql", dump, "a.sql:8: the dump is cut off: expected '-- Dump completed'"),
            ("a.sql", String(dump.dropLast(5)), "a.sql:7: the statement that begins here does not end"),
            ("a.sql", dump.replacing("(2,'b')", with: "(2)"), "a.sql:7: found 1 values for D, expected 2"),
            ("a.sql", "INSERT INTO D VALUES (1);", "a.sql:1: rows of D come before its CREATE TABLE"),
            ("a.sql", "SELECT 1;", "a.sql: found no CREATE TABLE statement"),
            (
                "a.csv", "\"a\nconfirmed: true\",b\n1,2\n",
                "a.csv:1: the name of a table or a column has a line break"
            ),
            ("a.csv", String(repeating: "a", count: 300) + ",b\n", "a.csv:1: the name of a table or a column has"),
            (
                "a.sql", "CREATE TABLE `D\u{1b}` (`A` int); INSERT INTO `D\u{1b}` VALUES (1);",
                "a.sql:1: the name of a table or a column has"
            ),
            (
                "a.json", "[{" + (0..<300).map { "\"m\($0)\":1" }.joined(separator: ",") + "}]",
                "a.json:1: expected objects with 1 to 200 different members"
            ),
            ("a.xls", "x", "a.xls: a file of this kind is not imported"),
        ])
    func damaged(name: String, text: String, message: String) throws {
        let imported = try ImportedStore([name: text])
        let error = #expect(throws: SubscriptionImportError.self) { _ = try imported.open(name) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("A name of any number of parts is read")
    func longName() throws {
        let name = String(repeating: "a.", count: 50_000) + "`D`"
        let text = "CREATE TABLE \(name) (A int);\nINSERT INTO \(name) VALUES (1);\n"
        let summaries = try ImportedStore(["a.sql": text]).open("a.sql").summaries
        #expect(summaries == [.init(name: "D", source: "a.sql", rows: 1, columns: ["A"])])
    }

    @Test("Bytes that are not UTF-8 are an error with the line and the remedy")
    func encoding() throws {
        let imported = try ImportedStore()
        try Data("application,device,token\nShop,x,y\nShop,J".utf8 + [0xF6, 0x72, 0x67] + ",z\n".utf8)
            .write(to: URL(fileURLWithPath: imported.folder.path("a.csv")))
        let error = #expect(throws: SubscriptionImportError.self) { _ = try imported.open("a.csv") }
        #expect(error?.description.hasPrefix("a.csv:3: it is not UTF-8; convert it, as by iconv") == true)
    }

    @Test("A file that does not exist is an error with its path")
    func missing() throws {
        let imported = try ImportedStore()
        let error = #expect(throws: SubscriptionImportError.self) { _ = try imported.open("no.csv") }
        #expect(error?.description.contains("no.csv: cannot be read") == true)
    }
}

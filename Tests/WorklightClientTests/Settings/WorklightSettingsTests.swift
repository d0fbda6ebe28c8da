import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("worklight.plist")
struct WorklightSettingsTests {
    /// The file of seed 000.
    private static let good: [String: String] = [
        "protocol": "http", "host": "9.182.149.79", "port": "8080", "wlServerContext": "/",
        "application id": "Module_07_04_nativeAPIForiOSPush", "application version": "1.0", "environment": "iOSNative",
    ]

    private func list(_ values: [String: String], raw: String = "") -> Data {
        let entries = values.map { "<key>\($0.key)</key><string>\($0.value)</string>" }.joined()
        return Data("<plist version=\"1.0\"><dict>\(entries)\(raw)</dict></plist>".utf8)
    }

    private func problem(_ data: Data) -> SettingsProblem? {
        #expect(throws: SettingsProblem.self) { try WorklightSettings(propertyList: data, named: "worklight.plist") }
    }

    @Test("The file of the original's sample is read")
    func sample() throws {
        let settings = try WorklightSettings(propertyList: list(Self.good))
        #expect(
            settings
                == WorklightSettings(
                    scheme: "http", host: "9.182.149.79", port: 8080, context: "/",
                    applicationID: "Module_07_04_nativeAPIForiOSPush", applicationVersion: "1.0",
                    environment: "iOSNative"))
        #expect(settings.context.isEmpty)
    }

    @Test("reads a file, and names a missing one")
    func file() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "worklight.plist")
        try list(Self.good).write(to: file)
        #expect(try WorklightSettings(contentsOf: file).port == 8080)
        let missing = #expect(throws: SettingsProblem.self) {
            try WorklightSettings(contentsOf: folder.url.appending(path: "other.plist"))
        }
        #expect(missing?.file.hasSuffix("/other.plist") == true)
        #expect(missing?.key == nil)
    }

    @Test("The binary form is read, too")
    func binary() throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.good, format: .binary, options: 0)
        #expect(try WorklightSettings(propertyList: data).host == "9.182.149.79")
    }

    @Test("A key that is missing is named", arguments: good.keys.sorted())
    func missing(key: String) {
        var values = Self.good
        values[key] = nil
        let problem = problem(list(values))
        #expect(problem?.key == key)
        #expect(problem?.problem.contains("missing") == true)
    }

    @Test("A value that is empty is named", arguments: good.keys.sorted().filter { $0 != "wlServerContext" })
    func empty(key: String) {
        var values = Self.good
        values[key] = " "
        #expect(problem(list(values))?.key == key)
    }

    @Test(
        "names an invalid value and the expected ones",
        arguments: [
            ("protocol", "ftp", "http or https"), ("port", "80a", "between 1 and 65535"),
            ("port", "0", "between 1 and 65535"),
            ("port", "65536", "between 1 and 65535"), ("host", "http://server", "nothing else"),
            ("host", "a b", "nothing else"), ("wlServerContext", "/a?b", "a path"),
        ])
    func wrong(key: String, value: String, expected: String) {
        var values = Self.good
        values[key] = value
        let problem = problem(list(values))
        #expect(problem?.key == key)
        #expect(problem?.problem.contains(expected) == true)
        #expect(problem?.problem.contains("found '\(value)'") == true)
    }

    @Test("A number instead of a string is taken, a list is not")
    func types() throws {
        var values = Self.good
        values["port"] = nil
        let number = list(values, raw: "<key>port</key><integer>81</integer>")
        #expect(try WorklightSettings(propertyList: number).port == 81)
        #expect(problem(list(values, raw: "<key>port</key><array/>"))?.key == "port")
    }

    @Test(
        "An invalid property list, or one without a dictionary as its root, is reported",
        arguments: [
            "", "hello", "<plist version=\"1.0\"><array/></plist>",
        ])
    func noList(text: String) {
        let problem = problem(Data(text.utf8))
        #expect(problem?.key == nil)
        #expect(problem?.description.hasPrefix("worklight.plist: expected a property list") == true)
    }

    @Test("Slashes around the context root make no difference", arguments: ["wl", "/wl", "/wl/", "wl//"])
    func context(text: String) throws {
        var values = Self.good
        values["wlServerContext"] = text
        #expect(try WorklightSettings(propertyList: list(values)).context == "/wl")
    }
}

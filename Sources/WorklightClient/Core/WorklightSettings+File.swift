public import Foundation

extension WorklightSettings {
    /// The names of the settings file in applications; seed 000 has both.
    private static let fileNames = ["worklight", "wlclient"]

    /// Reads `worklight.plist`, or else `wlclient.plist`, from the resources of an application.
    ///
    /// - Throws: ``SettingsProblem``, also when the bundle has neither file.
    public init(in bundle: Bundle) throws(SettingsProblem) {
        let found = Self.fileNames.lazy.compactMap { bundle.url(forResource: $0, withExtension: "plist") }.first
        guard let found else {
            throw SettingsProblem(
                file: "worklight.plist", key: nil,
                problem: "it is not in \(bundle.bundlePath): add the file to the application's resources")
        }
        try self.init(contentsOf: found)
    }

    /// Reads a `worklight.plist`, in XML or in the binary form.
    ///
    /// - Throws: ``SettingsProblem`` for the first key that is missing or wrong.
    public init(contentsOf file: URL) throws(SettingsProblem) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw SettingsProblem(
                file: file.path, key: nil, problem: "it cannot be read: \(error.localizedDescription)")
        }
        try self.init(propertyList: data, named: file.path)
    }

    /// Reads the contents of a `worklight.plist`.
    ///
    /// - Parameter name: the file's name in errors.
    /// - Throws: ``SettingsProblem`` for the first key that is missing or wrong.
    public init(propertyList data: Data, named name: String = "worklight.plist") throws(SettingsProblem) {
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        guard let values = list as? [String: Any] else {
            throw SettingsProblem(
                file: name, key: nil, problem: "expected a property list with a dictionary as its root")
        }
        let reader = PropertyReader(file: name, values: values)
        let scheme = try reader.text("protocol", "http or https").lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw reader.problem("protocol", "expected http or https, found '\(scheme)'")
        }
        let host = try reader.text("host", "the server's name or address")
        guard !host.contains(where: { "/?#@".contains($0) || $0.isWhitespace }) else {
            throw reader.problem("host", "expected a name or an address and nothing else, found '\(host)'")
        }
        let portText = try reader.text("port", "a number between 1 and 65535")
        guard let port = Int(portText), (1...65535).contains(port) else {
            throw reader.problem("port", "expected a number between 1 and 65535, found '\(portText)'")
        }
        let context = try reader.text("wlServerContext", "the context root, / for none", mayBeEmpty: true)
        guard !context.contains(where: { "?#".contains($0) || $0.isWhitespace }) else {
            throw reader.problem("wlServerContext", "expected a path such as /wl, found '\(context)'")
        }
        self.init(
            scheme: scheme, host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), port: port,
            context: context, applicationID: try reader.text("application id", "the id of the application descriptor"),
            applicationVersion: try reader.text("application version", "a version such as 1.0"),
            environment: try reader.text("environment", "an environment such as iOSnative"),
            platformVersion: values["wlPlatformVersion"] == nil
                ? nil : try reader.text("wlPlatformVersion", "a version such as 6.1.0.0"))
    }
}

/// Reads the values of a property list.
private struct PropertyReader {
    let file: String
    let values: [String: Any]

    /// Returns the string of a key. A number is accepted too, because property list editors convert strings that look like a number.
    ///
    /// - Throws: ``SettingsProblem`` when the key is missing, or has a value of another type or an empty one.
    func text(_ key: String, _ expected: String, mayBeEmpty: Bool = false) throws(SettingsProblem) -> String {
        guard let value = values[key] else { throw problem(key, "the key is missing: expected \(expected)") }
        let text: String
        switch value {
        case let string as String: text = string.trimmingCharacters(in: .whitespacesAndNewlines)
        case let number as NSNumber: text = number.stringValue
        default: throw problem(key, "expected a string (\(expected)), found \(type(of: value))")
        }
        guard mayBeEmpty || !text.isEmpty else { throw problem(key, "it is empty: expected \(expected)") }
        return text
    }

    func problem(_ key: String, _ problem: String) -> SettingsProblem {
        SettingsProblem(file: file, key: key, problem: problem)
    }
}

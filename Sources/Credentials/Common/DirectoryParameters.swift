import Foundation
import Logging

/// The parameters of a login module. Their names are case-sensitive, values lose the space around them, as in the
/// original.
struct DirectoryParameters {
    let module: String
    private let values: [String: String]
    private let names: [String]

    /// - Parameter known: names that mean something; of others a warning is logged.
    init(
        _ parameters: [(name: String, value: String)], module: String, known: [String], logger: Logger
    ) throws(DirectoryConfigurationError) {
        var values: [String: String] = [:]
        for (name, value) in parameters {
            let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if let former = values.updateValue(value, forKey: name) {
                guard former == value else {
                    throw DirectoryConfigurationError(
                        module: module, parameter: name,
                        problem: "it is set twice, to different values; remove one of them")
                }
                continue
            }
            if !known.contains(name) {
                logger.warning(
                    "a login module's parameter is not known and ignored",
                    metadata: ["module": "\(module)", "parameter": "\(name)"])
            }
        }
        (self.module, self.values, names) = (module, values, parameters.map(\.name))
    }

    /// - Returns: `nil` when the parameter is missing or empty.
    func optional(_ name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    func required(_ name: String, _ meaning: String) throws(DirectoryConfigurationError) -> String {
        if let value = optional(name) { return value }
        let similar = names.first { $0 != name && $0.lowercased() == name.lowercased() }
        let hint = similar.map { "; '\($0)' is spelt differently, names are case-sensitive" } ?? ""
        throw wrong(name, "it is \(values[name] == nil ? "missing" : "empty"), expected \(meaning)\(hint)")
    }

    func wrong(_ name: String, _ problem: String) -> DirectoryConfigurationError {
        DirectoryConfigurationError(module: module, parameter: name, problem: problem)
    }
}

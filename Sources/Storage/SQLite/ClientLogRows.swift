import Foundation
import GRDB
import PushModel

extension ClientLogFilter {
    /// The condition on the rows of `client_log`, and its arguments.
    var condition: (sql: String, arguments: [(any StoreArgument)?]) {
        var conditions: [String] = []
        var arguments: [(any StoreArgument)?] = []
        func require(_ condition: String, _ values: [(any StoreArgument)?]) {
            conditions.append(condition)
            arguments += values
        }
        if let before { require("seq < ?", [before]) }
        if let applicationID { require("application_id = ?", [applicationID]) }
        if let deviceID { require("device_id = ?", [deviceID]) }
        if let from { require("received_at >= ?", [from.timeIntervalSince1970]) }
        if let to { require("received_at < ?", [to.timeIntervalSince1970]) }
        if !levels.isEmpty {
            let places = Array(repeating: "?", count: levels.count).joined(separator: ", ")
            require("level IN (\(places))", levels.map(\.rawValue).sorted())
        }
        if let text, !text.isEmpty {
            let pattern = Self.pattern(containing: text)
            require(#"(message LIKE ? ESCAPE '\' OR package LIKE ? ESCAPE '\')"#, [pattern, pattern])
        }
        return (conditions.isEmpty ? "true" : conditions.joined(separator: " AND "), arguments)
    }

    /// A pattern for `LIKE`, in which `%` and `_` stand for themselves.
    private static func pattern(containing text: String) -> String {
        var pattern = "%"
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "%" || scalar == "_" { pattern.unicodeScalars.append("\\") }
            pattern.unicodeScalars.append(scalar)
        }
        return pattern + "%"
    }
}

extension StoreTransaction {
    /// Adds an entry to the log's separate file.
    ///
    /// - Parameter network: where the client came from; `nil` for this machine.
    func insert(_ entry: ClientLogEntry, from network: String?) throws {
        let metadata = try entry.metadata.storedText()
        let client = entry.client
        let origin = [
            client.applicationID, client.applicationVersion, client.environment, client.deviceID, client.model,
            client.osVersion,
        ]
        let texts = origin.map { $0 ?? "" } + [entry.package, entry.message, metadata, network ?? ""]
        let arguments: [(any StoreArgument)?] = [
            texts.reduce(ClientLogEntry.storedOverhead) { $0 + $1.utf8.count }, network ?? "",
            entry.receivedAt.timeIntervalSince1970, entry.time?.timeIntervalSince1970, entry.level.rawValue,
        ]
        try run(
            """
            INSERT INTO client_log
            (bytes, network, received_at, time, level, application_id, application_version, environment, device_id,
            model, os_version, package, message, metadata)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            arguments + origin + [entry.package, entry.message, metadata])
    }
}

extension ClientLogEntry {
    /// The number of bytes that an entry takes on the disk beside its strings: numbers, lengths, indexes.
    fileprivate static let storedOverhead = 160
}

extension StoreRow {
    func clientLogEntry() throws -> StoredClientLogEntry {
        let client = ClientLogSource(
            applicationID: try value("application_id"), applicationVersion: try value("application_version"),
            environment: try value("environment"), deviceID: try value("device_id"), model: try value("model"),
            osVersion: try value("os_version"))
        return StoredClientLogEntry(
            sequence: try value("seq"),
            entry: ClientLogEntry(
                receivedAt: try date("received_at"), time: try optionalDate("time"),
                level: ClientLogLevel(try value("level")), package: try value("package"),
                message: try value("message"), client: client, metadata: try json("metadata")))
    }
}

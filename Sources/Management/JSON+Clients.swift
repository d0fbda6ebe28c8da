import Authentication
import Core
import Foundation
import PushModel

extension ApplicationRule {
    /// For the command line and the management interface.
    var json: JSONValue {
        var object: JSONObject = [
            "application": .string(applicationID), "environment": .string(environment), "version": .string(version),
            "access": .string(access.rawValue),
        ]
        object["message"] = message.map(JSONValue.string)
        object["downloadLink"] = downloadLink.map(JSONValue.string)
        object["checksum"] = checksum.map { .number(Double($0)) }
        object["updated"] = .string(updatedAt.spelling)
        return .object(object)
    }
}

extension StoredClientLogEntry {
    /// For the command line and the management interface.
    var json: JSONValue {
        var object: JSONObject = [
            "number": .number(Double(sequence)), "received": .string(entry.receivedAt.spelling),
            "level": .string(entry.level.rawValue), "package": .string(entry.package),
            "message": .string(entry.message),
        ]
        object["time"] = entry.time.map { .string($0.spelling) }
        let client = entry.client
        for (key, value) in [
            ("application", client.applicationID), ("version", client.applicationVersion),
            ("environment", client.environment), ("device", client.deviceID), ("model", client.model),
            ("os", client.osVersion),
        ] {
            object[key] = value.map(JSONValue.string)
        }
        if entry.metadata != [:] { object["metadata"] = entry.metadata }
        return .object(object)
    }
}

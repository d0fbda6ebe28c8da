import AdapterRuntime
import Authentication
import Core
import Installation
import PushModel

/// The shared parts of the routes of the management API.
extension Installation {
    /// The application of a project without any.
    private static let standInApplication = "PushApp"

    /// Reads an event source's name.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    static func eventSource(_ text: String) throws(ManagementError) -> EventSourceID {
        guard let source = EventSourceID(text) else {
            throw ManagementError(
                .badRequest, "expected Adapter.EventSource, found '\(text.prefix(100))'", field: "eventSource")
        }
        return source
    }

    /// The given application, or the project's only one.
    ///
    /// - Throws: ``ManagementError`` with status 400 when the project has several.
    func application(_ given: String?) throws(ManagementError) -> String {
        if let given { return given }
        let known = security.policy.applicationIDs
        guard known.count < 2 else {
            throw ManagementError(
                .badRequest, "missing; the project has several applications: \(known.joined(separator: ", "))",
                field: "application")
        }
        return known.first ?? Self.standInApplication
    }

    /// Reads a subscription from a request's body.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    func deviceSubscription(_ body: JSONValue) throws(ManagementError) -> DeviceSubscription {
        func text(_ key: String) -> String { body[key]?.string ?? "" }
        let source = try Self.eventSource(text("eventSource"))
        let application = try application(body["application"]?.string)
        for (field, value) in [("user", text("user")), ("device", text("device")), ("application", application)]
        where value.utf8.count > 512 {
            throw ManagementError(
                .badRequest, "expected 512 bytes of UTF-8 at most, found \(value.utf8.count)", field: field)
        }
        guard let platform = Platform(rawValue: text("platform")) else {
            throw ManagementError(.badRequest, "unknown platform", field: "platform")
        }
        do {
            return DeviceSubscription(
                eventSource: source, userID: text("user"), deviceID: text("device"), applicationID: application,
                alias: body["alias"]?.string ?? source.name, platform: platform,
                token: try DeviceToken(text("token"), platform: platform),
                options: ["alert": true, "badge": true, "sound": true])
        } catch {
            throw ManagementError(.badRequest, "\(error)", field: "token")
        }
    }
}

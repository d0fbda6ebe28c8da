import Core
import NIOCore

/// The error that FCM answers with (anchors F2): Google's general form with FCM's own code among the details.
struct FCMErrorDetails: Hashable {
    let status: Int
    /// FCM's own, for example `UNREGISTERED`.
    let code: String?
    /// Google's, for example `NOT_FOUND`.
    let rpcStatus: String?
    let message: String
    /// The request's fields that were found wrong, for example `message.token`.
    let fields: [String]
    /// Whose quota is used up, for example `device:…` or `project:…`.
    let quotas: [String]

    private static let detailTypes = "type.googleapis.com/google."

    /// - Parameter answer: any that is not a success. Where its body is not such an error, only the status is known.
    init(_ answer: ServiceAnswer) {
        status = answer.status
        let error = (try? JSONValue(parsing: answer.body.readableBytesView))?["error"]
        // OAuth's own errors have a text here.
        message = error?["message"]?.string ?? error?.string ?? (error == nil ? answer.text : "")
        rpcStatus = error?["status"]?.string
        let details = error?["details"]?.array ?? []
        let ofType = { (type: String) in details.filter { $0["@type"]?.string == Self.detailTypes + type } }
        code = ofType("firebase.fcm.v1.FcmError").compactMap { $0["errorCode"]?.string }.first
        fields = ofType("rpc.BadRequest").flatMap { $0["fieldViolations"]?.array ?? [] }
            .compactMap { $0["field"]?.string }
        quotas = ofType("rpc.QuotaFailure").flatMap { $0["violations"]?.array ?? [] }
            .flatMap { [$0["subject"]?.string, $0["description"]?.string].compactMap(\.self) }
    }

    /// Whether the token itself is malformed.
    ///
    /// Either the field is named, or, in the form that Google documents for it, the message is exactly this and no field is
    /// named. Everything else that is an invalid argument is the message's fault and not the device's.
    var isAboutToken: Bool {
        if !fields.isEmpty { return fields.allSatisfy { $0 == "message.token" } }
        return code == "INVALID_ARGUMENT"
            && message.hasPrefix("The registration token is not a valid FCM registration token")
    }

    /// Whether one device gets too much, rather than the project sends too much.
    var isAboutOneDevice: Bool {
        quotas.contains { $0.hasPrefix("device:") || $0.lowercased().contains("device message rate") }
    }
}

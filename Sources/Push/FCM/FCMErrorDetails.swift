import Core
import NIOCore

/// The error in FCM's response (anchors F2): Google's general form with FCM's own code among the details.
struct FCMErrorDetails: Hashable {
    let status: Int
    /// FCM's own, for example `UNREGISTERED`.
    let code: String?
    /// Google's, for example `NOT_FOUND`.
    let rpcStatus: String?
    let message: String
    /// The request's fields that were found wrong, for example `message.token`.
    let fields: [String]
    /// The owners of the exhausted quotas, for example `device:…` or `project:…`.
    let quotas: [String]

    private static let detailTypes = "type.googleapis.com/google."

    /// Reads a response that is not a success. If its body is not such an error, only the status is known.
    init(_ answer: ServiceAnswer) {
        status = answer.status
        let error = (try? JSONValue(parsing: answer.body.readableBytesView))?["error"]
        // OAuth's own errors have a string here.
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

    /// True if the token itself is malformed.
    ///
    /// FCM names the field `message.token`, or, in the form that Google documents, no field and this message. Every other invalid argument is the
    /// message's fault and not the device's.
    var isAboutToken: Bool {
        if !fields.isEmpty { return fields.allSatisfy { $0 == "message.token" } }
        return code == "INVALID_ARGUMENT"
            && message.hasPrefix("The registration token is not a valid FCM registration token")
    }

    /// True if the quota of one device is exhausted, rather than the quota of the project.
    var isAboutOneDevice: Bool {
        quotas.contains { $0.hasPrefix("device:") || $0.lowercased().contains("device message rate") }
    }
}

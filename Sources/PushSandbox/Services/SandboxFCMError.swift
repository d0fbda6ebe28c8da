import Core

/// Google's JSON for an error.
struct SandboxFCMError: Error {
    let status: Int
    /// The canonical name, such as `INVALID_ARGUMENT`.
    let canonical: String
    let message: String
    var details: [JSONValue] = []
    /// The reason in the journal.
    let reason: String

    /// A request of the wrong form; `field` is a path such as `message.data[0].value`.
    static func invalid(_ field: String, _ description: String) -> SandboxFCMError {
        SandboxFCMError(
            status: 400, canonical: "INVALID_ARGUMENT", message: description,
            details: [
                [
                    "@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": [["field": .string(field), "description": .string(description)]],
                ]
            ], reason: "INVALID_ARGUMENT: \(description)")
    }

    /// Returns an error with one of FCM's own codes, which are in the details.
    static func fcm(_ code: String, status: Int? = nil, message: String? = nil) -> SandboxFCMError {
        let known = codes[code]
        return SandboxFCMError(
            status: status ?? known?.status ?? 400, canonical: known?.canonical ?? code,
            message: message ?? known?.message ?? code,
            details: [["@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": .string(code)]],
            reason: code)
    }

    static let unauthenticated = SandboxFCMError(
        status: 401, canonical: "UNAUTHENTICATED",
        message:
            "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
        reason: "UNAUTHENTICATED")

    static func denied(project: String) -> SandboxFCMError {
        SandboxFCMError(
            status: 403, canonical: "PERMISSION_DENIED",
            message:
                "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).",
            reason: "PERMISSION_DENIED")
    }

    private static let codes: [String: (status: Int, canonical: String, message: String)] = [
        "UNREGISTERED": (404, "NOT_FOUND", "Requested entity was not found."),
        "INVALID_ARGUMENT": (400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
        "SENDER_ID_MISMATCH": (403, "PERMISSION_DENIED", "SenderId mismatch"),
        "QUOTA_EXCEEDED": (429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Send requests'."),
        "UNAVAILABLE": (503, "UNAVAILABLE", "The service is currently unavailable."),
        "INTERNAL": (500, "INTERNAL", "Internal error encountered."),
        "THIRD_PARTY_AUTH_ERROR": (401, "UNAUTHENTICATED", "Auth error from APNS or Web Push Service"),
    ]

    var reply: WebReply {
        var error: JSONObject = [
            "code": .number(Double(status)), "message": .string(message), "status": .string(canonical),
        ]
        if !details.isEmpty { error["details"] = .array(details) }
        return .json(status, ["error": .object(error)])
    }

    var judgement: ServiceDecision { ServiceDecision(reply, reason: reason) }
}

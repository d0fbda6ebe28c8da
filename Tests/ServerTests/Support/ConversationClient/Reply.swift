import Core

/// The outcome of a request.
struct Reply: Sendable {
    let answer: RawAnswer
    /// The body's JSON out of its wrapping; `nil` for pages and the like.
    let object: JSONValue?

    var status: Int { answer.status }

    /// True if an application's handler for forms takes it for a login page.
    var isLoginPage: Bool {
        answer.status == 200 && object == nil && answer.text.contains("j_security_check")
    }

    /// True if an application's handler for its adapter takes it for a challenge.
    var wantsAdapterLogin: Bool { answer.status == 200 && object?["authRequired"] == .bool(true) }

    /// True if clients of every version call the application's `onSuccess`.
    var isSuccess: Bool { answer.status == 200 && object?["isSuccessful"] == .bool(true) }

    subscript(key: String) -> JSONValue? { object?[key] }
}

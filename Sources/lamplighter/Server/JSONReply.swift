import Core

/// A response of the management API.
struct JSONReply: Sendable {
    /// JSON, as the server wrote it.
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// - Throws: what parsing throws.
    var value: JSONValue { get throws { try JSONValue(parsing: text) } }

    /// The items of a page.
    ///
    /// - Throws: what parsing throws.
    var items: [JSONValue] { get throws { try value["items"]?.array ?? [] } }
}

/// The result of a call into JavaScript: `{"result":…,"trace":…}`.
struct CallResult: Sendable {
    /// JSON.
    let result: String
    /// JSON; `nil` when it was not asked for.
    let trace: String?
    /// True unless the result has `isSuccessful: false`.
    let isSuccessful: Bool

    /// - Throws: what parsing throws.
    init(_ answer: JSONReply) throws {
        let value = try answer.value
        self.init(result: value["result"] ?? .null, trace: value["trace"])
    }

    init(result: JSONValue, trace: JSONValue? = nil) {
        self.result = result.text
        self.trace = trace?.text
        isSuccessful = result["isSuccessful"] != false
    }
}

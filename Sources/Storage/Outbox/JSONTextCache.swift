import Core

/// Texts of JSON, each made once while the same value comes again and again.
struct JSONTextCache {
    private var last: (value: JSONValue, text: String)?

    mutating func text(_ value: JSONValue) throws -> String {
        if let last, last.value == value { return last.text }
        let text = try value.storedText()
        last = (value, text)
        return text
    }
}

/// JSON of texts, each read once while the same text comes again and again.
struct JSONValueCache {
    private var last: (text: String, value: JSONValue)?

    mutating func value(_ text: String, in column: String) throws -> JSONValue {
        if let last, last.text == text { return last.value }
        let value = try JSONValue(stored: text, in: column)
        last = (text, value)
        return value
    }
}

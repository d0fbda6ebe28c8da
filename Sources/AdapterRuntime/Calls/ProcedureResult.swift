import Core
import Foundation

/// The result of a procedure call: a JSON object that always has `isSuccessful` (server-api 4, wire-protocol 5).
public struct ProcedureResult: Sendable, Hashable {
    /// The object's JSON, as the script would write it.
    public private(set) var json: String
    /// The object's own `isSuccessful`; a value that is not `false` counts as success, as it does for clients.
    public let isSuccessful: Bool
    /// The way the call ended, for metrics.
    public internal(set) var outcome: Outcome
    /// The headers that the procedure added with `WL.Server.addResponseHeader`.
    public internal(set) var headers: [Header] = []
    /// The error, with the JavaScript stack, when the call did not end with a result of the script; for the
    /// adapter's author. Clients get the message in ``json`` alone.
    public internal(set) var trouble: String?

    /// The class of the error that the script threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public internal(set) var errorName: String?

    /// True if the script returned a value that is not an object. The result has it as the member `result` or `array`; a missing value
    /// as no member.
    public internal(set) var isBare = false

    /// The ways a call can end.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        case ok
        /// The script returned an object whose `isSuccessful` is false.
        case unsuccessful
        /// The script threw, or was not reached.
        case error
        /// A limit on time or memory ended the call.
        case limit
        /// Too many calls of the adapter were waiting.
        case refused
    }

    /// A field of the HTTP response's header.
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    /// Returns the result of a failed call, with the messages that a client shows.
    public static func failure(_ errors: [String]) -> ProcedureResult {
        let object: JSONValue = [
            "isSuccessful": false, "errors": .array(errors.map { .string($0) }), "warnings": [], "info": [],
        ]
        var result = ProcedureResult(json: object.text, isSuccessful: false)
        result.outcome = .error
        return result
    }

    /// Adds warnings to the member `warnings`, which is otherwise the script's own. One that the script made something else
    /// than an array stays as it is.
    mutating func add(warnings: some Collection<String>) {
        guard var object = (try? JSONValue(parsing: json))?.object, let known = (object["warnings"] ?? []).array
        else { return }
        let new = warnings.map(JSONValue.string).filter { !known.contains($0) }
        object["warnings"] = .array(known + new)
        json = JSONValue.object(object).text
    }

    /// Replaces strings in the result, each with another.
    mutating func replace(_ texts: [(text: String, shown: String)]) {
        for (text, shown) in texts {
            let quoted = [text, shown].map { JSONValue.string($0).text.dropFirst().dropLast() }
            json = json.replacing(quoted[0], with: quoted[1])
        }
    }

    init(json: String, isSuccessful: Bool) {
        self.json = json
        self.isSuccessful = isSuccessful
        outcome = isSuccessful ? .ok : .unsuccessful
    }

    /// Makes a result of the value that a procedure returned: an object is unchanged, but gets `isSuccessful` when it has none;
    /// nothing becomes success, an array becomes `array`, any other value `result`. The JSON decides, even if a `toJSON` made it.
    ///
    /// - Parameter returned: its JSON; `nil` for nothing.
    init(returned: String?) {
        guard let returned else {
            self.init(json: #"{"isSuccessful":true}"#, isSuccessful: true)
            isBare = true
            return
        }
        let first = returned.utf8.first
        guard first == UInt8(ascii: "{") else {
            let name = first == UInt8(ascii: "[") ? "array" : "result"
            self.init(json: #"{"isSuccessful":true,"\#(name)":\#(returned)}"#, isSuccessful: true)
            isBare = true
            return
        }
        if let mark = Self.mark(of: returned) {
            self.init(json: returned, isSuccessful: mark)
            return
        }
        let members = returned.utf8.dropFirst()
        var marked = #"{"isSuccessful":true"#
        marked.reserveCapacity(marked.utf8.count + 1 + members.count)
        if members.count > 1 { marked += "," }
        marked += Substring(members)
        self.init(json: marked, isSuccessful: true)
    }

    /// Returns whether the member `isSuccessful` of an object's JSON is anything but `false`; `nil` when there is none.
    private static func mark(of json: String) -> Bool? {
        guard json.withCString({ strstr($0, member) }) != nil else { return nil }
        var json = json
        return json.withUTF8 { bytes -> Bool? in
            var (depth, index) = (0, 0)
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "\""):
                    if depth == 1, bytes[index...].starts(with: member.utf8) {
                        return !bytes[(index + member.utf8.count)...].starts(with: "false".utf8)
                    }
                    index += 1
                    while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
                default: break
                }
                index += 1
            }
            return nil
        }
    }

    // A string that is followed by a colon is a member's name.
    private static let member = #""isSuccessful":"#
}

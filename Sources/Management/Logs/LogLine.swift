public import Core
public import Logging

/// A line of the server's log, in its parts.
public struct LogLine: Sendable, Hashable {
    /// Its position in the ``LogBuffer``, from 1; 0 before it has one.
    public var number = 0
    /// ISO 8601 with milliseconds, in UTC.
    public let time: String
    public let level: Logger.Level
    /// The adapter that it is about, where it is about one.
    public let adapter: String?
    public let message: String
    /// Additional values.
    public let metadata: [String: String]
    /// The keys in ``metadata`` whose values are numbers, which JSON then has as such.
    public let numbers: Set<String>

    public init(
        time: String, level: Logger.Level, adapter: String? = nil, message: String, metadata: [String: String] = [:],
        numbers: Set<String> = []
    ) {
        self.time = time
        self.level = level
        self.adapter = adapter
        self.message = message
        self.metadata = metadata
        self.numbers = numbers
    }

    /// The line in the form of the server's standard error, with control characters spelt out. Lines after the first are indented, so that a string
    /// from a client cannot look like a line of the log.
    ///
    ///     2026-11-21T07:12:13.123Z info PushAdapter: submitNotification >> bjones
    ///
    /// - Parameter paint: colours the level's name.
    public func text(level paint: (String) -> String = { $0 }) -> String {
        let name = level.rawValue
        var text = "\(time) \(paint(name))\(String(repeating: " ", count: max(8 - name.utf8.count, 1)))"
        var rest = adapter.map { "\($0): " } ?? ""
        rest += message
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { rest += " \(key)=\(value)" }
        text += rest.printable.replacing("\n", with: "\n    ")
        return text
    }
}

extension LogLine {
    /// For programs. `number` is left out when there is none.
    public var json: JSONValue {
        var object = JSONObject()
        if number > 0 { object["number"] = .number(Double(number)) }
        object["time"] = .string(time)
        object["level"] = .string(level.rawValue)
        object["adapter"] = adapter.map(JSONValue.string)
        object["message"] = .string(message)
        if !metadata.isEmpty {
            var fields = JSONObject()
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                fields[key] =
                    numbers.contains(key) ? Double(value).map(JSONValue.number) ?? .string(value) : .string(value)
            }
            object["metadata"] = .object(fields)
        }
        return .object(object)
    }

    /// Reads the output of ``json``; `nil` for anything else.
    public init?(json: JSONValue) {
        guard let time = json["time"]?.string,
            let level = json["level"]?.string.flatMap({ Logger.Level(rawValue: $0) }),
            let message = json["message"]?.string, let number = Int(exactly: json["number"]?.number ?? 0)
        else { return nil }
        let members = json["metadata"]?.object?.members ?? []
        let metadata = members.map { ($0.key, $0.value.string ?? $0.value.text) }
        self.init(
            time: time, level: level, adapter: json["adapter"]?.string, message: message,
            metadata: Dictionary(metadata) { $1 }, numbers: Set(members.filter { $0.value.number != nil }.map(\.key)))
        self.number = number
    }

    /// Roughly how many bytes it takes in memory.
    var size: Int {
        metadata.reduce(160 + message.utf8.count) { $0 + 64 + $1.key.utf8.count + $1.value.utf8.count }
    }
}

/// The parts of Prometheus' text-based format.
enum MetricText {
    /// Appends one line.
    static func append(_ value: String, of name: String, _ labels: String, to text: inout String) {
        text += name
        if !labels.isEmpty { text += "{\(labels)}" }
        text += " \(value)\n"
    }

    /// Returns a metric's or label's name, with `_` in place of characters that such names cannot have.
    static func name(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar -> Character in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
                default: "_"
                }
            })
        return plain.first?.isNumber ?? true ? "_\(plain)" : plain
    }

    /// Labels sorted by name, without the braces: `adapter="A",outcome="ok"`.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.sorted { $0.0 < $1.0 }.map { #"\#(name($0.0))="\#(escapedValue($0.1))""# }.joined(separator: ",")
    }

    /// Returns a number without an exponent or a fraction where it needs none.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// `\` and line feeds need a `\` before them.
    static func escapedHelp(_ text: String) -> String { escaped(text, quotes: false) }

    private static func escapedValue(_ text: String) -> String { escaped(text, quotes: true) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += #"\\"#
            case "\n": result += #"\n"#
            case "\"" where quotes: result += #"\""#
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

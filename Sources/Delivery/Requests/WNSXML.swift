import PushModel

/// The XML bodies of WNS.
enum WNSXML {
    static func toast(_ toast: WNSToast) -> String {
        let launch = toast.launch.map { " launch=\"\(escaped($0))\"" } ?? ""
        return "\(prolog)<toast\(launch)>\(visual(toast.bindings, template: "ToastText01"))</toast>"
    }

    static func tile(_ tile: WNSTile) -> String {
        "\(prolog)<tile>\(visual(tile.bindings, template: "TileSquareText04"))</tile>"
    }

    static func badge(_ value: String) -> String { "\(prolog)<badge value=\"\(escaped(value))\"/>" }

    private static let prolog = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    /// - Parameter template: for bindings that name none: the one that shows a single text, wrapped.
    private static func visual(_ bindings: [WNSBinding], template: String) -> String {
        let contents = bindings.map { binding in
            let images = binding.images.enumerated().map { "<image id=\"\($0 + 1)\" src=\"\(escaped($1))\"/>" }
            let texts = binding.texts.enumerated().map { "<text id=\"\($0 + 1)\">\(escaped($1))</text>" }
            let name = escaped(binding.template ?? template)
            return "<binding template=\"\(name)\">\((images + texts).joined())</binding>"
        }
        return "<visual>\(contents.joined())</visual>"
    }

    /// The text as it may stand both between tags and between quotes.
    ///
    /// Line ends and tabs would turn into blanks between quotes, so they are written as references. What XML 1.0 cannot
    /// hold at all becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

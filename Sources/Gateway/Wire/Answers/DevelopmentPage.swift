/// The page in which the original's tools look for a procedure's result: they take what stands between the first brace of the
/// text area and its end (wire-protocol 5.4).
enum DevelopmentPage {
    /// - Parameter result: JSON. Its quotes stay as they are, for the tools decode nothing; only what would end the text
    ///   area is written in another way that means the same.
    static func html(title: String, result: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(escaped(title))</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem }
        textarea { width: 100%; height: 70vh; font: 14px/1.4 monospace }
        </style>
        </head>
        <body>
        <h1>\(escaped(title))</h1>
        <textarea readonly aria-label="Result">\(replacing(in: result) { $0 == "<" ? "\\u003c" : nil })</textarea>
        </body>
        </html>
        """
    }

    private static func escaped(_ text: String) -> String {
        replacing(in: text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: nil
            }
        }
    }

    /// Goes by what browsers see: `<` is a tag's beginning even where it makes one character with what stands beside it.
    private static func replacing(in text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

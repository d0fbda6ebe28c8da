import Authentication

/// The page in which the original's tools look for a procedure's result: they take the text from the first brace of the text
/// area to its end (wire-protocol 5.4).
enum DevelopmentPage {
    /// - Parameter result: JSON. Its quotes stay as they are, for the tools decode nothing; only what would end the text
    ///   area is written in another way that means the same.
    static func html(title: String, result: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title.escapedForHTML)</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem }
        textarea { width: 100%; height: 70vh; font: 14px/1.4 monospace }
        </style>
        </head>
        <body>
        <h1>\(title.escapedForHTML)</h1>
        <textarea readonly aria-label="Result">\(withoutTags(result))</textarea>
        </body>
        </html>
        """
    }

    /// Goes by what browsers see: `<` is a tag's beginning even where it makes one character with its neighbour.
    private static func withoutTags(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar == "<" { result += "\\u003c" } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

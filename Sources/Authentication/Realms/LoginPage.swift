import Foundation

/// The page that a form-based realm shows (wire-protocol 6.1).
///
/// Clients recognise it by the string `j_security_check` in it. The server replaces `${errorMessage}` in it by the error.
public struct LoginPage: Sendable, Hashable {
    /// The string by which clients recognise the page.
    public static let mark = "j_security_check"
    private static let errorSlot = "${errorMessage}"

    private let before: String
    private let after: String

    /// Makes a page from a template of the project.
    ///
    /// - Returns: `nil` when it lacks the string `j_security_check`: no client would recognise it.
    public init?(template: String) {
        guard template.contains(Self.mark) else { return nil }
        let parts = template.components(separatedBy: Self.errorSlot)
        before = parts[0]
        after = parts.dropFirst().joined()
    }

    private init(before: String, after: String) {
        self.before = before
        self.after = after
    }

    /// The page with a message, which is escaped; without one when `nil`.
    public func html(error: String? = nil) -> String {
        before + (error ?? "").escapedForHTML + after
    }

    /// For projects that have none.
    public static let standard = LoginPage(
        before: """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Log in</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 20rem; margin: 4rem auto; padding: 0 1rem }
            label { display: block; margin-top: 1rem }
            input { width: 100%; box-sizing: border-box; padding: .5rem; font: inherit }
            button { margin-top: 1.5rem; padding: .5rem 1.5rem; font: inherit }
            p { color: #b00020; min-height: 1.5em }
            </style>
            </head>
            <body>
            <h1>Log in</h1>
            <p role="alert">
            """,
        after: """
            </p>
            <form method="post" action="j_security_check">
            <label>User name <input name="j_username" autocomplete="username" required autofocus></label>
            <label>Password <input name="j_password" type="password" autocomplete="current-password"></label>
            <button type="submit">Log in</button>
            </form>
            </body>
            </html>
            """)
}

extension String {
    /// The string, escaped for HTML and for its attributes.
    ///
    /// Compares scalars, as browsers do: a quotation mark counts even if a combining character follows it.
    public var escapedForHTML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

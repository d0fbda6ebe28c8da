import Foundation

/// A page of a web app, which names the context root of the server that it was built for.
enum WebAppPage {
    /// The two members of `WL.StaticAppProps` with the path of the application's endpoints.
    private static var members: Regex<(Substring, Substring, Substring, Substring)> {
        /(["']?(?:APP_SERVICES_URL|WORKLIGHT_ROOT_URL)["']?\s*:\s*)(["'])([^"'\n]*)\2/
    }

    /// Returns a page with this server's context root in `APP_SERVICES_URL` and `WORKLIGHT_ROOT_URL`. Nothing else changes.
    static func page(_ bytes: [UInt8], under contextRoot: String) -> [UInt8] {
        // One character for each byte, whatever the page's encoding.
        guard let text = String(bytes: bytes, encoding: .isoLatin1), text.contains("_URL") else { return bytes }
        let replaced = text.replacing(members) { match in
            "\(match.1)\(match.2)\(value(String(match.3), under: contextRoot))\(match.2)"
        }
        return replaced.data(using: .isoLatin1).map { Array($0) } ?? bytes
    }

    /// The path from `/apps/services/` on below another root. Builders may have written `\/` for a slash.
    private static func value(_ old: String, under contextRoot: String) -> String {
        let isEscaped = old.contains("\\/")
        let plain = old.replacing("\\/", with: "/")
        guard let start = plain.range(of: "/apps/services/") else { return old }
        let new = contextRoot + plain[start.lowerBound...]
        return isEscaped ? new.replacing("/", with: "\\/") : new
    }
}

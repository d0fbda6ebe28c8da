import Crypto
import Foundation
package import HTTPTypes
import Hummingbird
import Installation
import NIOCore

extension ConsoleSite {
    /// Only this server's scripts and style sheets, no plugins, no frames.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
        + "frame-ancestors 'none'; base-uri 'none'"

    static func html(_ text: String, status: HTTPResponse.Status) -> Response {
        respond(text, type: "text/html; charset=utf-8", status: status)
    }

    static func plain(_ text: String, status: HTTPResponse.Status) -> Response {
        respond(text, type: "text/plain; charset=utf-8", status: status)
    }

    /// A file to save.
    static func csv(_ text: String) -> Response {
        var response = respond(text, type: CSVText.type, status: .ok)
        response.headers.set("Content-Disposition", CSVText.disposition)
        return response
    }

    static func redirect(_ address: String, cookies: [String]) -> Response {
        var response = respond("", type: "text/plain", status: .seeOther)
        response.headers[.location] = address
        response.headers[values: .setCookie] = cookies
        return response
    }

    private static func respond(_ text: String, type: String, status: HTTPResponse.Status) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        headers.set("Referrer-Policy", "same-origin")
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// A style sheet, script or picture; browsers ask whether it has changed.
    static func file(_ name: String, _ request: Request) -> Response? {
        guard let file = files[name] else { return nil }
        let isKnown = request.headers[.ifNoneMatch] == file.tag
        var response = respond(isKnown ? "" : file.text, type: file.type, status: isKnown ? .notModified : .ok)
        response.headers[.cacheControl] = "no-cache"
        response.headers[.eTag] = file.tag
        return response
    }

    private struct File {
        let text: String
        let type: String
        let tag: String

        init(_ text: String, _ type: String) {
            (self.text, self.type) = (text, type)
            tag = "\"\(ManagementAccess.hash(text).prefix(16))\""
        }
    }

    /// The names of files and pages that are not in ``pages`` and ``actions``.
    package static let otherNames: Set<String> = Set(files.keys).union(["login", "logout"])

    private static let files: [String: File] = [
        "console.css": File(ConsolePages.stylesheet, "text/css; charset=utf-8"),
        "console.js": File(ConsolePages.script, "text/javascript; charset=utf-8"),
        "icon.svg": File(ConsolePages.icon, "image/svg+xml"),
    ]
}

extension HTTPFields {
    /// Sets a header of which the package has no constant.
    package mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }
}

import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import NIOCore
import WorklightProject

/// The pages of applications for browsers, where the original served them.
extension ClientProtocolHandler {
    func answer(_ path: WebAppPath, _ call: IncomingRequest) async -> Response {
        let allowed: [HTTPRequest.Method] = path.isLoginForm ? [.post] : [.get, .head]
        guard allowed.contains(call.request.method) else {
            var response = ClientProtocolResponse.text(
                "expected \(allowed.map(\.rawValue).joined(separator: " or "))", status: .methodNotAllowed)
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
            return response
        }
        guard let descriptor = security.policy.descriptor(ofApplication: path.application) else {
            return missing("there is no application '\(path.application.prefix(100))' here")
        }
        let environment = ClientEnvironment(path.environment)
        let folder = WebAppFolder(project: installation.settings.project, descriptor: descriptor)
        guard case .www = path.kind else {
            guard installation.settings.mode == .development else {
                return missing("previews are served in development mode only")
            }
            return await serve(path, of: folder, call, isProtected: false)
        }
        guard environment.isWebApp else {
            return missing(
                "the environment '\(path.environment.prefix(100))' is not for browsers; expected mobilewebapp or desktopbrowser"
            )
        }
        let application = ClientApplication(id: path.application, environment: environment, version: "")
        let requirements: SecurityRequirements
        switch security.policy.admission(of: application) {
        case .unknown(let reason): return missing(reason)
        case .admitted(let admitted): requirements = admitted
        }
        if let obstacle = requirements.obstacle {
            return ClientProtocolResponse.text(told("this page cannot be opened", obstacle), status: .forbidden)
        }
        // Only a page's scripts can log in to the others. They do when they call a procedure.
        let realms = requirements.userRealms.filter { security.gate.realms[$0]?.authenticator.isForBrowsers ?? true }
        guard !realms.isEmpty || path.isLoginForm else {
            return await serve(path, of: folder, call, isProtected: false)
        }
        return await inSession(call, application: application) { exchange in
            if exchange.session.application != exchange.application {
                exchange.session.application = exchange.application
            }
            if path.isLoginForm {
                return await submitForm(exchange, then: redirect(to: self.page(afterLoginAt: path, call)))
            }
            if let challenge = await security.gate.challenge(for: realms, exchange.visit) {
                return response(to: challenge)
            }
            return await serve(path, of: folder, call, isProtected: true)
        }
    }

    /// Returns the paths of the applications that have pages for browsers.
    package func webAppPaths() -> [(application: String, environment: String, path: String)] {
        security.policy.applicationIDs.compactMap(security.policy.descriptor).flatMap { descriptor in
            let folder = WebAppFolder(project: installation.settings.project, descriptor: descriptor)
            return descriptor.environments.map(\.name).filter(folder.hasPages).map { environment in
                (descriptor.id, environment, root(ofApplication: descriptor.id, environment))
            }
        }
    }

    /// The path of the main page.
    private func root(ofApplication id: String, _ environment: String) -> String {
        let names = [id, environment.lowercased()].map { PercentEncoding.encode($0) }
        return "\(contextRoot)/apps/services/www/\(names.joined(separator: "/"))/"
    }

    // MARK: Login

    /// The page that showed the login form, else the application's main page.
    private func page(afterLoginAt path: WebAppPath, _ call: IncomingRequest) -> String {
        if let referrer = call.request.headers.value(of: .referrer), let start = referrer.range(of: "://") {
            let target = referrer[start.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
            if case .webApp(let page) = self.path(String(target)), page.kind == .www,
                page.application == path.application, page.environment == path.environment, !page.isLoginForm
            {
                return String(target)
            }
        }
        return root(ofApplication: path.application, path.environment)
    }

    private func redirect(to path: String) -> Response {
        var response = ClientProtocolResponse.text("")
        response.status = .seeOther
        response.headers[.location] = path
        return response
    }

    // MARK: Files

    private func missing(_ reason: String) -> Response {
        ClientProtocolResponse.text(told("there is no such page", reason) + "\n", status: .notFound)
    }

    /// - Parameter isProtected: whether only logged-in users get the file, so that no shared cache may keep it.
    private func serve(
        _ path: WebAppPath, of folder: WebAppFolder, _ call: IncomingRequest, isProtected: Bool
    ) async -> Response {
        switch await ThreadPool.shared.run({ folder.find(path) }) {
        case .missing(let reason): return missing(reason)
        case .folder: return redirect(to: call.request.path + "/")
        case .file(let file):
            do {
                return try await response(with: file, call, isProtected: isProtected)
            } catch {
                var response = ClientProtocolResponse.text(
                    "the file was changed while it was read; try again\n", status: .serviceUnavailable)
                response.headers[.retryAfter] = "1"
                return response
            }
        }
    }

    /// The largest part of a file in memory for one client.
    private static let part = 65_536

    private func response(
        with file: WebAppFile, _ call: IncomingRequest, isProtected: Bool
    ) async throws -> Response {
        let tag = file.entityTag(under: contextRoot)
        let modified = HTTPDate.text(file.modified)
        var headers: HTTPFields = [
            .contentType: file.type, .eTag: tag, .lastModified: modified,
            // A browser asks each time, and gets 304 as long as the file is the same.
            .cacheControl: isProtected ? "private, no-cache" : "no-cache",
        ]
        guard !isKnown(tag, modified, call.request.headers) else {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        guard !file.isPage else {
            let bytes = try await ThreadPool.shared.run { [contextRoot] () throws(any Error) in
                WebAppPage.page(try file.bytes(from: 0, count: file.size), under: contextRoot)
            }
            return Response(status: .ok, headers: headers, body: ByteBuffer(bytes: bytes))
        }
        headers[.acceptRanges] = "bytes"
        var range = 0..<file.size
        var status = HTTPResponse.Status.ok
        switch ByteRange(call.request.headers, tag: tag, modified: modified, size: file.size) {
        case .whole: break
        case .part(let wanted):
            (range, status) = (wanted, .partialContent)
            headers[.contentRange] = "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(file.size)"
        case .outside:
            headers[.contentRange] = "bytes */\(file.size)"
            headers[.contentType] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        let read = { @Sendable [range] (offset: Int) async throws -> ByteBuffer in
            let start = range.lowerBound + offset
            return try await ThreadPool.shared.run { () throws(any Error) in
                ByteBuffer(bytes: try file.bytes(from: start, count: min(Self.part, range.upperBound - start)))
            }
        }
        var response = Response(status: status, headers: headers)
        if !range.isEmpty { response.rest = StreamedBody(length: range.count, read: read) }
        return response
    }

    /// Returns true if the client has the current state of a file (RFC 9110, 13). A time counts if it is the very one that the server sent.
    private func isKnown(_ tag: String, _ modified: String, _ headers: HTTPFields) -> Bool {
        guard let given = headers.value(of: .ifNoneMatch) else {
            return headers.value(of: .ifModifiedSince) == modified
        }
        return given.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.contains { item in
            let bare = item.hasPrefix("W/") ? item.dropFirst(2) : item
            return item == "*" || bare.prefix { !$0.isWhitespace } == tag
        }
    }
}

/// The part of a file that a request wants (RFC 9110, 14). Requests for several parts get the whole.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// It begins behind the file's end.
    case outside

    init(_ headers: HTTPFields, tag: String, modified: String, size: Int) {
        self = .whole
        guard let text = headers.value(of: .range), let match = text.wholeMatch(of: /bytes=(\d{0,15})-(\d{0,15})/)
        else {
            return
        }
        if let condition = headers.value(of: .ifRange), condition != tag, condition != modified { return }
        switch (Int(match.1), Int(match.2)) {
        case (nil, nil): return
        case (nil, let length?):
            self = length == 0 || size == 0 ? .outside : .part(max(size - length, 0)..<size)
        case (let start?, let end):
            guard end.map({ $0 >= start }) ?? true else { return }
            self = start >= size ? .outside : .part(start..<min(end.map { $0 + 1 } ?? size, size))
        }
    }
}

extension HTTPField.Name {
    fileprivate static let referrer = HTTPField.Name("Referer") ?? .cookie
}

extension Authenticator {
    /// True if a browser or its user can log in without the page's scripts.
    fileprivate var isForBrowsers: Bool {
        switch self {
        case .form, .basic, .header, .persistentCookie, .certificate, .unavailable: true
        case .adapter, .bearer, .script: false
        }
    }
}

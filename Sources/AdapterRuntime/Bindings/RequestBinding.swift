import Core
import Foundation
import JavaScriptEngine
import Logging

/// `WL.Server.getClientRequest` and `addResponseHeader` (server-api 2.5).
///
/// The request has those methods of Java's `HttpServletRequest` that this server can support; a method returns an `Enumeration` where
/// Java's does.
extension AdapterScope {
    static func declareRequest(in table: inout BindingTable.Declarations) {
        table.add("getClientRequest") { scope, call in
            guard let request = scope.table.call.caller.request else { return call.context.null }
            let object = call.context.makeObject(hostData: RequestHandle(request.made))
            object.setPrototype(try scope.realm.requestMethods())
            return object
        }
        table.add("addResponseHeader") { scope, call in
            guard let name = call[0].string, name.wholeMatch(of: /[!#$%&'*+.^_`|~0-9A-Za-z-]+/) != nil else {
                throw HostError("addResponseHeader: expected a header's name first, got \(call[0].kind)")
            }
            guard
                !["content-length", "transfer-encoding", "connection", "upgrade", "trailer", "keep-alive"]
                    .contains(name.lowercased())
            else {
                throw HostError("addResponseHeader: '\(name)' is the server's own, and cannot be added")
            }
            guard !call[1].isNullOrUndefined else {
                throw HostError("addResponseHeader: the value of '\(name)' must not be \(call[1].kind)")
            }
            let value = try call[1].text()
            guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" }) else {
                throw HostError(
                    "addResponseHeader: the value of '\(name)' has a line break or another control character")
            }
            guard scope.table.call.responseHeaders.count < 100, value.utf8.count <= 8192 else {
                throw HostError("addResponseHeader: a response has room for 100 headers of 8 KB each")
            }
            scope.table.call.responseHeaders.append(.init(name: name, value: value))
            return call.context.undefined
        }
    }

}

extension ScriptRealm {
    /// Returns the methods of the object that `getClientRequest` returns.
    func requestMethods() throws -> ScriptValue {
        if let known = requestPrototype { return known }
        let methods = context.makeObject()
        try addRequestLine(to: methods)
        try addHeaders(to: methods)
        try addSession(to: methods)
        requestPrototype = try context.freeze(methods)
        return methods
    }

    private typealias Answer = (AdapterScope, ClientRequest, HostCall) throws -> ScriptValue

    private func addMethod(_ name: String, to methods: ScriptValue, _ answer: @escaping Answer) throws {
        try add(name, to: methods) { scope, call in
            guard let handle = call.this.hostData as? RequestHandle else {
                throw HostError("\(name): call it on the result of getClientRequest()")
            }
            return try answer(scope, handle.request, call)
        }
    }

    private func addRequestLine(to methods: ScriptValue) throws {
        let texts: [(String, (ClientRequest) -> String?)] = [
            ("getMethod", { $0.method }), ("getRequestURL", { $0.url }),
            ("getRequestURI", { $0.components?.percentEncodedPath }), ("getQueryString", { $0.query }),
            ("getContextPath", { $0.contextPath }), ("getScheme", { $0.components?.scheme }),
            ("getServerName", { $0.components?.host }), ("getProtocol", { _ in "HTTP/1.1" }),
            ("getRemoteAddr", { $0.remoteAddress }), ("getRemoteHost", { $0.remoteAddress }),
            ("getContentType", { $0.header("Content-Type") }),
            ("getCharacterEncoding", { $0.charset }),
            ("getPathInfo", { $0.components?.path.withoutPrefix($0.contextPath) }),
            ("getServletPath", { $0.components?.path.withoutPrefix($0.contextPath) }),
        ]
        for (name, text) in texts {
            try addMethod(name, to: methods) { scope, request, _ in scope.text(text(request)) }
        }
        try addMethod("getServerPort", to: methods) { scope, request, _ in
            let isSecure = request.components?.scheme == "https"
            return scope.context.make(Double(request.components?.port ?? (isSecure ? 443 : 80)))
        }
        try addMethod("isSecure", to: methods) { scope, request, _ in
            scope.context.make(request.components?.scheme == "https")
        }
        try addMethod("getContentLength", to: methods) { scope, request, _ in
            scope.context.make(request.header("Content-Length").flatMap { Double($0) } ?? -1)
        }
        try addMethod("getParameter", to: methods) { scope, request, call in
            let name = try call[0].text()
            return scope.text(request.parameters.first { $0.name == name }?.value)
        }
        try addMethod("getParameterValues", to: methods) { scope, request, call in
            let name = try call[0].text()
            let values = request.parameters.filter { $0.name == name }.map { scope.context.make($0.value) }
            return values.isEmpty ? scope.context.null : try scope.context.makeArray(values)
        }
        try addMethod("getParameterMap", to: methods) { scope, request, _ in
            let map = scope.context.makeObject()
            for name in request.parameters.map(\.name).withoutRepeats {
                let values = request.parameters.filter { $0.name == name }.map { scope.context.make($0.value) }
                try map.set(name, try scope.context.makeArray(values))
            }
            return map
        }
        try addMethod("getParameterNames", to: methods) { scope, request, _ in
            try scope.enumeration(request.parameters.map(\.name).withoutRepeats)
        }
    }

    private func addHeaders(to methods: ScriptValue) throws {
        try addMethod("getHeader", to: methods) { scope, request, call in
            scope.text(request.header(try call[0].text()))
        }
        try addMethod("getHeaders", to: methods) { scope, request, call in
            let name = try call[0].text().lowercased()
            return try scope.enumeration(request.headers.filter { $0.name.lowercased() == name }.map(\.value))
        }
        try addMethod("getHeaderNames", to: methods) { scope, request, _ in
            try scope.enumeration(request.headers.map(\.name).withoutRepeats)
        }
        try addMethod("getIntHeader", to: methods) { scope, request, call in
            let name = try call[0].text()
            guard let text = request.header(name) else { return scope.context.make(-1.0) }
            guard let number = Int32(text) else {
                throw HostError("getIntHeader: the header '\(name)' is not a 32-bit integer: '\(text)'")
            }
            return scope.context.make(Double(number))
        }
        try addMethod("getLocale", to: methods) { scope, request, _ in
            // The language that the client puts first; the header's weights are in that order with all that are known.
            let tag = request.header("Accept-Language")?.prefixMatch(of: /\s*([A-Za-z]{2,3})(?:-([A-Za-z]{2}))?/)
            let (language, country) = (
                tag.map { $0.1.lowercased() } ?? "en", tag.map { $0.2?.uppercased() ?? "" } ?? "US"
            )
            let locale = country.isEmpty ? language : "\(language)_\(country)"
            return try scope.makeGetters(["getLanguage": language, "getCountry": country, "toString": locale])
        }
        try addMethod("getCookies", to: methods) { scope, request, _ in
            let cookies = request.cookies
            if cookies.isEmpty { return scope.context.null }
            return try scope.context.makeArray(
                try cookies.map { cookie in
                    try scope.makeGetters(["getName": cookie.name, "getValue": cookie.value])
                })
        }
    }

    private func addSession(to methods: ScriptValue) throws {
        try addMethod("getUserPrincipal", to: methods) { scope, _, _ in
            guard let user = scope.activeUserID else { return scope.context.null }
            return try scope.makeGetters(["getName": user])
        }
        // Java's filters and servlets would have set attributes; here there are none.
        try addMethod("getAttribute", to: methods) { scope, _, _ in scope.context.null }
        try addMethod("getRemoteUser", to: methods) { scope, _, _ in scope.text(scope.activeUserID) }
        try addMethod("getSession", to: methods) { scope, _, _ in
            let object = scope.context.makeObject()
            try scope.realm.add("getId", to: object) { scope, call in
                call.context.make(scope.table.call.caller.session?.id ?? "none")
            }
            try scope.realm.add("getAttribute", to: object) { scope, call in
                scope.value(scope.table.call.attributes[try call[0].text()])
            }
            try scope.realm.add("setAttribute", to: object) { scope, call in
                let (name, value) = (try call[0].text(), try scope.json(of: call[1], for: "setAttribute"))
                // The session keeps them, outside of the memory that scripts are held to.
                let names = scope.table.call.attributes.names
                guard names.count < 100 || names.contains(name), name.utf8.count <= 256,
                    (value?.text.utf8.count ?? 0) <= 65_536
                else {
                    throw HostError(
                        "setAttribute: a session keeps 100 attributes of 64 KB each, with names of 256 bytes")
                }
                scope.table.call.attributes[name] = value
                return call.context.undefined
            }
            try scope.realm.add("removeAttribute", to: object) { scope, call in
                scope.table.call.attributes[try call[0].text()] = nil
                return call.context.undefined
            }
            try scope.realm.add("getAttributeNames", to: object) { scope, _ in
                try scope.enumeration(scope.table.call.attributes.names)
            }
            return object
        }
    }

}

extension AdapterScope {
    fileprivate var activeUserID: String? {
        let realm = table.call.userRealm ?? table.call.realms.last
        return realm.flatMap { table.call.identity(in: $0) }?.userID
    }

    fileprivate func text(_ text: String?) -> ScriptValue { text.map { context.make($0) } ?? context.null }

    fileprivate func makeGetters(_ texts: [String: String]) throws -> ScriptValue {
        let object = context.makeObject()
        for (name, text) in texts { try realm.add(name, to: object) { _, call in call.context.make(text) } }
        return object
    }

    /// Java's `Enumeration`.
    fileprivate func enumeration(_ elements: [String]) throws -> ScriptValue {
        let object = context.makeObject()
        let position = Position()
        try realm.add("hasMoreElements", to: object) { _, call in call.context.make(position.index < elements.count) }
        try realm.add("nextElement", to: object) { _, call in
            guard position.index < elements.count else { throw HostError("nextElement: there are no more elements") }
            defer { position.index += 1 }
            return call.context.make(elements[position.index])
        }
        return object
    }

    private final class Position {
        var index = 0
    }
}

/// The request behind a script's request object.
private final class RequestHandle {
    let request: ClientRequest

    init(_ request: ClientRequest) {
        self.request = request
    }
}

extension String {
    fileprivate func withoutPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}

extension [String] {
    fileprivate var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0.lowercased()).inserted }
    }
}

import Foundation
import Synchronization

/// Adds the protocol's headers and cookies to requests, and stores the cookies of responses (wire-protocol 2).
extension ClientCore {
    /// A response, with the client's state at the time of the request.
    struct Sent: Sendable {
        let answer: WLAnswer
        /// True if the response is from the Worklight server, false if it is from another server of a login form.
        let isOwn: Bool
        /// True if this request must respond to a challenge in the response. False if another request has responded since.
        let isToAnswer: Bool
        /// The number of logins in each realm of a ``CustomChallenger`` at the time of the request.
        let logins: [String: Int]
        /// The length of all headers, in bytes.
        let headerLength: Int
    }

    func transmit(_ request: WireRequest, authorization: String?) async throws(WLError) -> Sent {
        let url = address(of: request.target)
        guard let place = URL(string: url), place.host != nil else {
            throw WLError(WLErrorCodeUnexpectedError, "'\(url)' is not a URL with a host")
        }
        let isOwn = isOwnServer(place)
        let known = state.withLock { state in
            if let shared = state.sharedCookies {
                for cookie in shared.cookies(for: place) { state.cookies.set(cookie) }
            }
            return (
                handshakes: state.handshakes, logins: state.logins, instanceID: state.instanceID,
                headers: state.globalHeaders, cookies: state.cookies.header(for: place)
            )
        }
        var headers = isOwn ? protocolHeaders(request, instanceID: known.instanceID) : []
        if request.body == nil {
            headers.append(WireField("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"))
        }
        if let cookies = known.cookies { headers.append(WireField("Cookie", cookies)) }
        if isOwn { headers += known.headers }
        headers += request.headers
        if let authorization { headers.append(WireField("Authorization", authorization)) }

        var target = url
        var body = request.body
        if body == nil {
            let text = FormText.encode(complete(request))
            if request.method == "GET" {
                target += (target.contains("?") ? "&" : "?") + text
            } else {
                body = Array(text.utf8)
            }
        }
        let answer = try await sender.send(
            HTTPSenderRequest(
                url: target, method: request.method, headers: headers, body: body,
                timeout: request.timeout.duration(standard: settings.requestTimeout)))
        return Sent(
            answer: answer, isOwn: isOwn, isToAnswer: take(answer, from: place, handshakes: known.handshakes),
            logins: known.logins,
            headerLength: headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
    }

    /// Stores the cookies of a response. If concurrent requests are challenged, only the first challenge counts: the server has started a
    /// second session for the other, which is not needed.
    ///
    /// - Returns: false if the response is a challenge to ignore.
    private func take(_ answer: WLAnswer, from place: URL, handshakes: Int) -> Bool {
        let cookies = answer.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
        let (isToAnswer, kept, shared) = state.withLock { state in
            if answer.isCompositeChallenge, isOwnServer(place) {
                guard state.handshakes == handshakes else {
                    return (false, nil as [ClientCookieJar.Cookie]?, nil as WLCookieExtractor?)
                }
                state.handshakes += 1
            }
            let before = state.cookies.lasting
            state.cookies.take(cookies, from: place)
            let after = state.cookies.lasting
            return (true, before == after ? nil : after, cookies.isEmpty ? nil : state.sharedCookies)
        }
        if let kept { folder.keep(kept) }
        shared?.take(answer, from: place)
        return isToAnswer
    }

    private func address(of target: WireRequest.Target) -> String {
        switch target {
        case .action(let name): settings.applicationURL + name
        case .invoke: settings.root + "/invoke"
        case .service(let name): settings.root + "/apps/services/" + name
        case .form(let text):
            if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") {
                text
            } else if text.hasPrefix("/") {
                settings.root + text
            } else {
                settings.applicationURL + text
            }
        }
    }

    /// Returns whether a URL belongs to the Worklight server. Only that server gets the headers that identify the client.
    private func isOwnServer(_ url: URL) -> Bool {
        let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
        let host = url.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
        return url.scheme?.lowercased() == settings.scheme && host == settings.host.lowercased()
            && port == settings.port
    }

    private func protocolHeaders(_ request: WireRequest, instanceID: String?) -> [WireField] {
        var headers = [
            WireField("X-Requested-With", "XMLHttpRequest"),
            WireField("x-wl-app-version", settings.applicationVersion),
            WireField("Accept-Language", Self.language),
            WireField("User-Agent", "WLNativeAPI(\(DeviceFacts.model); \(DeviceFacts.system))"),
        ]
        if let version = settings.platformVersion { headers.append(WireField("x-wl-platform-version", version)) }
        if let instanceID { headers.append(WireField("WL-Instance-Id", instanceID)) }
        return headers
    }

    private static let language: String = {
        let code = Locale.preferredLanguages.first ?? "en"
        return code.utf8.allSatisfy { $0 < 0x80 } ? code : "en"
    }()

    private func complete(_ request: WireRequest) -> [WireField] {
        if case .form = request.target { return [WireField("isAjaxRequest", "true")] + request.fields }
        return request.fields + [WireField("isAjaxRequest", "true"), WireField("x", "\(Double.random(in: 0..<1))")]
    }
}

/// The facts about the device that the client sends to the server.
enum DeviceFacts {
    static var system: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    static var model: String {
        #if os(iOS)
        "iPhone"
        #elseif os(macOS)
        "Mac"
        #else
        "Linux"
        #endif
    }
}

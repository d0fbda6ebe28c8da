import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import Push

/// Notifications for pages in browsers: an extension of ours, documented in docs/web-push.md.
extension ClientProtocolHandler {
    /// The module that a page imports.
    private static let webPushModule = EmbeddedText.webpush_mjs
    /// The script that shows notifications in the browser, also when the page is closed.
    private static let webPushServiceWorker = EmbeddedText.webpush_sw_js

    func answer(_ resource: WebPushResource, _ call: IncomingRequest) async -> Response {
        switch resource {
        case .key:
            let key: JSONValue = ["applicationServerKey": .string(installation.deliveries.webPushKey.publicKey)]
            return ClientProtocolResponse.plain(key.text)
        case .module: return script(Self.webPushModule)
        case .serviceWorker:
            var response = script(Self.webPushServiceWorker)
            // So that a page may use the whole context root as its scope.
            response.headers[.serviceWorkerAllowed] = "\(contextRoot)/"
            return response
        case .subscribe: return await changeSubscription(call) { $0["subscribe"] = $0["options"] ?? "{}" }
        case .unsubscribe: return await changeSubscription(call) { $0["unsubscribe"] = "" }
        }
    }

    /// Handles the request like `notifications` of an application: with the same session, challenges, tests and store. Only the data
    /// that a phone has in its path and its session are fields of a page's request.
    private func changeSubscription(_ call: IncomingRequest, _ change: (inout FormFields) -> Void) async -> Response {
        guard call.request.method == .post else {
            var response = ClientProtocolResponse.failure(.unexpected, "expected POST", status: .methodNotAllowed)
            response.headers[.allow] = "POST"
            return response
        }
        guard let id = call.fields["application"], !id.isEmpty, call.fields.has(WebPushResource.subscriptionField)
        else {
            return ClientProtocolResponse.failure(
                .unexpected, "expected the fields 'application' and '\(WebPushResource.subscriptionField)'",
                status: .badRequest)
        }
        var fields = call.fields
        // The fields that select other actions of the protocol.
        for name in ["updateToken", "transport", "subscribe", "unsubscribe"] { fields[name] = nil }
        change(&fields)
        let application = ClientApplication(
            id: id, environment: ClientEnvironment(call.fields["environment"] ?? "desktopbrowser"),
            version: call.appVersion ?? "")
        return await answer(
            ApplicationAction.notifications.rawValue, of: application, IncomingRequest(call, fields: fields))
    }

    private func script(_ text: String) -> Response {
        ClientProtocolResponse.text(text, type: "text/javascript; charset=UTF-8")
    }
}

extension HTTPField.Name {
    fileprivate static let serviceWorkerAllowed = HTTPField.Name("Service-Worker-Allowed") ?? .allow
}

/// The resources under `/lamplighter/` for pages in browsers that want notifications (docs/web-push.md). The original had no such feature, so the
/// names are Lamplighter's.
package enum WebPushResource: String, Sendable, CaseIterable {
    /// GET: the server's public key, for `pushManager.subscribe`.
    case key = "webpush/key"
    /// POST: subscribes the page.
    case subscribe = "webpush/subscribe"
    /// POST: ends the page's subscription.
    case unsubscribe = "webpush/unsubscribe"
    /// GET: the module that a page imports.
    case module = "webpush.js"
    /// GET: the service worker, which shows the notifications in the browser.
    case serviceWorker = "webpush-sw.js"

    /// The field with the JSON of the page's `PushSubscription`.
    static let subscriptionField = "subscription"
}

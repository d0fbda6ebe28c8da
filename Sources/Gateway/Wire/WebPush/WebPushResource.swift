/// What is under `/lamplighter/` for pages in browsers that want notifications (docs/web-push.md). The original had nothing
/// like it, so the names are ours.
enum WebPushResource: String, Sendable, CaseIterable {
    /// GET: the server's public key, for `pushManager.subscribe`.
    case key = "webpush/key"
    /// POST: subscribes the page.
    case subscribe = "webpush/subscribe"
    /// POST: ends the page's subscription.
    case unsubscribe = "webpush/unsubscribe"
    /// GET: what a page imports.
    case module = "webpush.js"
    /// GET: what shows the notifications in the browser.
    case serviceWorker = "webpush-sw.js"

    /// The field with the JSON of the page's `PushSubscription`.
    static let subscriptionField = "subscription"
}

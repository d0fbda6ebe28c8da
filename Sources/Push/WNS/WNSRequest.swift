import Core
import PushModel

/// A request to WNS (anchors F3).
struct WNSRequest: ChannelRequest {
    enum Kind: String, Sendable {
        case toast, tile, badge, raw
    }

    let kind: Kind
    /// The app's channel URI.
    let channel: DeviceToken
    /// In seconds.
    let timeToLive: Int
    /// XML, or the payload of ``Kind/raw``.
    let body: String

    var record: PushRequest {
        var headers = [
            PushRequest.Header("Content-Type", kind == .raw ? "application/octet-stream" : "text/xml"),
            PushRequest.Header("X-WNS-Type", "wns/\(kind.rawValue)"),
            PushRequest.Header("X-WNS-TTL", String(timeToLive)),
        ]
        // WNS discards only raw messages by default when the device is offline.
        if kind == .raw { headers.append(PushRequest.Header("X-WNS-Cache-Policy", "cache")) }
        return PushRequest(service: .wns, method: "POST", url: channel.value, headers: headers, body: body)
    }
}

extension WNSChannel {
    /// Returns the requests to WNS, one for each part of the notification that is not empty (server-api 2.8, anchors F3): toast,
    /// tile, badge and raw, in this order.
    ///
    /// Only raw carries the payload with the member by which the client finds its callback. So raw is always sent: without a payload from the adapter
    /// it has only the alias or tag. The references do not record what the original did then.
    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [WNSRequest] {
        guard let block = message.notification.wns else { throw message.missing(.wns) }
        var requests: [WNSRequest] = []
        let isFlat = message.notification.isFlatForm
        if let toast = block.toast, !toast.bindings.isEmpty, message.isWanted("alert") {
            requests.append(
                try message.wnsRequest(.toast, WNSXML.toast(toast), parts: message.parts(of: ["WNS", "toast"])))
        }
        if let tile = block.tile, !tile.bindings.isEmpty, message.isWanted("alert") {
            requests.append(
                try message.wnsRequest(
                    .tile, WNSXML.tile(tile),
                    parts: isFlat ? message.parts(of: [], only: ["alert"]) : message.parts(of: ["WNS", "tile"])))
        }
        if let badge = block.badge, message.isWanted("badge") {
            requests.append(
                try message.wnsRequest(.badge, WNSXML.badge(badge), parts: message.parts(of: ["WNS", "badge"])))
        }
        let path = isFlat ? ["payload"] : ["WNS", "raw", "payload"]
        requests.append(
            try message.wnsRequest(.raw, message.payloadText(block.raw), parts: message.payloadParts(of: path)))
        return requests
    }
}

extension OutgoingMessage {
    fileprivate func wnsRequest(
        _ kind: WNSRequest.Kind, _ body: String, parts: @autoclosure () -> [MessagePart]
    ) throws(PushRequestError) -> WNSRequest {
        try WNSChannel.sizeLimit.check(body.utf8.count, parts: parts())
        // Without a positive number a toast would be kept for days.
        return WNSRequest(kind: kind, channel: token, timeToLive: max(secondsLeft, 1), body: body)
    }
}

/// The XML bodies of WNS.
enum WNSXML {
    static func toast(_ toast: WNSToast) -> String {
        let launch = toast.launch.map { " launch=\"\($0.escapedForXML)\"" } ?? ""
        return "\(prolog)<toast\(launch)>\(visual(toast.bindings))</toast>"
    }

    static func tile(_ tile: WNSTile) -> String {
        "\(prolog)<tile>\(visual(tile.bindings))</tile>"
    }

    static func badge(_ value: String) -> String { "\(prolog)<badge value=\"\(value.escapedForXML)\"/>" }

    private static let prolog = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    private static func visual(_ bindings: [WNSBinding]) -> String {
        let contents = bindings.map { binding in
            let images = binding.images.enumerated().map { "<image id=\"\($0 + 1)\" src=\"\($1.escapedForXML)\"/>" }
            let texts = binding.texts.enumerated().map { "<text id=\"\($0 + 1)\">\($1.escapedForXML)</text>" }
            return
                "<binding template=\"\(binding.template.escapedForXML)\">\((images + texts).joined())</binding>"
        }
        return "<visual>\(contents.joined())</visual>"
    }
}

import Core
import PushModel

extension OutgoingMessage {
    /// The requests to WNS, one for each part of the notification that is not empty (server-api 2.8, anchors F3): toast,
    /// tile, badge and raw, in this order.
    ///
    /// Only raw carries the payload, and with it the mark by which the client finds its callback. So raw always goes,
    /// with the alias or tag alone when the adapter gave no payload; what the original did then is not recorded.
    func wnsRequests() throws(PushRequestError) -> [PushRequest] {
        guard let block = notification.wns else { throw missing(.wns) }
        var requests: [PushRequest] = []
        let isFlat = notification.isFlatForm
        if let toast = block.toast, !toast.bindings.isEmpty, isWanted("alert") {
            requests.append(try wnsRequest("toast", WNSXML.toast(toast), parts: parts(of: ["WNS", "toast"])))
        }
        if let tile = block.tile, !tile.bindings.isEmpty, isWanted("alert") {
            requests.append(
                try wnsRequest(
                    "tile", WNSXML.tile(tile),
                    parts: isFlat ? parts(of: [], only: ["alert"]) : parts(of: ["WNS", "tile"])))
        }
        if let badge = block.badge, isWanted("badge") {
            requests.append(try wnsRequest("badge", WNSXML.badge(badge), parts: parts(of: ["WNS", "badge"])))
        }
        let path = isFlat ? ["payload"] : ["WNS", "raw", "payload"]
        requests.append(try wnsRequest("raw", payloadText(block.raw), parts: payloadParts(of: path)))
        return requests
    }

    private func wnsRequest(
        _ type: String, _ body: String, parts: @autoclosure () -> [MessagePart]
    ) throws(PushRequestError) -> PushRequest {
        try SizeLimit.wns.check(body.utf8.count, parts: parts())
        let isRaw = type == "raw"
        var headers = [
            PushRequest.Header("Content-Type", isRaw ? "application/octet-stream" : "text/xml"),
            PushRequest.Header("X-WNS-Type", "wns/\(type)"),
            // Without a positive number a toast would be kept for days.
            PushRequest.Header("X-WNS-TTL", String(max(secondsLeft, 1))),
        ]
        // Raw is the only one that WNS throws away unless told otherwise when the device is offline.
        if isRaw { headers.append(PushRequest.Header("X-WNS-Cache-Policy", "cache")) }
        return PushRequest(service: .wns, method: "POST", url: recipient.token.value, headers: headers, body: body)
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

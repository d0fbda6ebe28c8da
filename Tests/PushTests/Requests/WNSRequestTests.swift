import Core
import Foundation
import Push
import PushModel
import TestSupport
import Testing

private let prolog = #"<?xml version="1.0" encoding="utf-8"?>"#

@Suite("Requests to WNS")
struct WNSRequestTests {
    private func requests(_ options: JSONValue, timeToLive: Double = 3600) throws -> [PushRequest] {
        try PushRequestBuilder().requests(
            for: delivery(options, to: subscription(.windows), timeToLive: timeToLive), now: ManualTime.start)
    }

    private func request(_ type: String, contentType: String = "text/xml", body: String) -> PushRequest {
        PushRequest(
            service: .wns, method: "POST", url: wnsToken,
            headers: [
                .init("Content-Type", contentType), .init("X-WNS-Type", "wns/\(type)"), .init("X-WNS-TTL", "3600"),
            ] + (type == "raw" ? [.init("X-WNS-Cache-Policy", "cache")] : []),
            body: body)
    }

    @Test("Each part that is not empty is a separate request, byte for byte like this")
    func whole() throws {
        let requests = try requests([
            "WNS": [
                "raw": ["payload": ["id": 7]],
                "badge": ["value": 3],
                "tile": [
                    "visual": [
                        "binding": [
                            ["template": "TileSquareText04", "text": [["content": "a"]]],
                            [
                                "template": "TileWideSmallImageAndText03", "text": [["content": "b"]],
                                "image": [["src": "ms-appx:///i.png"]],
                            ],
                        ]
                    ]
                ],
                "toast": [
                    "launch": "page=2",
                    "visual": ["binding": ["template": "ToastText02", "text": [["content": "c"], ["content": "d"]]]],
                ],
            ]
        ])
        let expected = [
            request(
                "toast",
                body: prolog + #"<toast launch="page=2"><visual><binding template="ToastText02"><text id="1">c</text>"#
                    + #"<text id="2">d</text></binding></visual></toast>"#),
            request(
                "tile",
                body: prolog + #"<tile><visual><binding template="TileSquareText04"><text id="1">a</text></binding>"#
                    + #"<binding template="TileWideSmallImageAndText03"><image id="1" src="ms-appx:///i.png"/>"#
                    + #"<text id="1">b</text></binding></visual></tile>"#),
            request("badge", body: prolog + #"<badge value="3"/>"#),
            request("raw", contentType: "application/octet-stream", body: #"{"alias":"myNews","id":7}"#),
        ]
        #expect(requests == expected)
    }

    @Test("The flat form becomes a tile, a badge and the raw payload")
    func flat() throws {
        let requests = try requests([
            "badge": 1, "sound": "s", "activateButtonLabel": "Click", "alert": "Hi", "payload": ["foo": "bar"],
        ])
        let expected = [
            request(
                "tile",
                body: prolog + #"<tile><visual><binding template="TileSquareText04"><text id="1">Hi</text></binding>"#
                    + "</visual></tile>"),
            request("badge", body: prolog + #"<badge value="1"/>"#),
            request("raw", contentType: "application/octet-stream", body: #"{"alias":"myNews","foo":"bar"}"#),
        ]
        #expect(requests == expected)
    }

    @Test(
        "A toast or tile without a template, or a badge that Windows does not know, is refused before it is sent",
        arguments: [
            (["toast": ["visual": ["binding": ["text": [["content": "a"]]]]]], "WNS.toast.visual.binding.template"),
            (["tile": ["visual": ["binding": [["text": [["content": "a"]]]]]]], "WNS.tile.visual.binding[0].template"),
            (["badge": ["value": "star"]], "WNS.badge.value"), (["badge": ["value": -1]], "WNS.badge.value"),
        ] as [(JSONValue, String)])
    func refused(block: JSONValue, place: String) {
        let error = #expect(throws: PushRequestError.self) { try requests(["WNS": block, "GCM": ["alert": "a"]]) }
        #expect(error?.reason.hasPrefix("the notification's options are malformed: \(place): expected") == true)
    }

    @Test("A toast's launch object is sent as JSON")
    func launch() throws {
        let binding: JSONValue = ["template": "ToastText01", "text": [["content": "a"]]]
        let toast: JSONValue = ["launch": ["custom": "data"], "visual": ["binding": binding]]
        #expect(
            try requests(["WNS": ["toast": toast]]).first?.body
                == prolog + #"<toast launch="{&quot;custom&quot;:&quot;data&quot;}"><visual>"#
                + #"<binding template="ToastText01"><text id="1">a</text></binding></visual></toast>"#)
    }

    @Test("Characters special to XML are escaped, in content and in attributes")
    func escaping() throws {
        let visual: JSONValue = ["binding": ["template": "ToastText01", "text": [["content": "<&>\"' \u{1}\u{0}é😀"]]]]
        let requests = try requests(["WNS": ["toast": ["launch": "a\"b'\n", "visual": visual]]])
        #expect(
            requests.dropLast().map(\.body) == [
                prolog + #"<toast launch="a&quot;b&apos;&#10;"><visual><binding template="ToastText01">"#
                    + "<text id=\"1\">&lt;&amp;&gt;&quot;&apos; \u{FFFD}\u{FFFD}é😀</text></binding></visual></toast>"
            ])
    }

    @Test("A raw part with an empty payload still carries the alias")
    func emptyPayload() throws {
        #expect(try requests(["WNS": ["raw": ["payload": [:]]]]).map(\.body) == [#"{"alias":"myNews"}"#])
    }

    @Test("A badge may be a glyph")
    func glyph() throws {
        let requests = try requests(["WNS": ["badge": ["value": "newMessage"]]])
        #expect(requests.first?.body == prolog + #"<badge value="newMessage"/>"#)
    }

    @Test("The time to live is at least a second")
    func shortestTimeToLive() throws {
        let requests = try requests(["WNS": ["badge": ["value": 1]]], timeToLive: 0)
        #expect(requests.first?.headers.last == .init("X-WNS-TTL", "1"))
    }

    @Test(
        "A block without a payload sends the alias alone as raw, for the client to find its callback",
        arguments: [[:], ["toast": ["launch": "x"]], ["tile": ["visual": [:]]], ["raw": [:]]] as [JSONValue])
    func aliasAlone(block: JSONValue) throws {
        let expected = request("raw", contentType: "application/octet-stream", body: #"{"alias":"myNews"}"#)
        #expect(try requests(["WNS": block]) == [expected])
    }
}

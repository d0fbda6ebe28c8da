import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

/// The page as Chromium draws it.
@Suite("The page in a browser", .long, .defaultTimeLimit)
struct BrowserTests {
    @Test("A phone appears with title, message, badge and payload")
    func showsPhone() async throws {
        let page = try await drawn { apns in
            _ = try await apns.send(
                body:
                    #"{"aps":{"alert":{"title":"Bank","body":"Credited"},"badge":3},"payload":"{\"alias\":\"balance\"}"}"#
            )
        }
        #expect(page.contains("<strong>Bank</strong>"))
        #expect(page.contains("<p>Credited</p>"))
        #expect(page.contains(">badge 3</span>"))
        #expect(page.contains(#""payload": {"alias":"balance"}"#))
        #expect(page.contains(APNsCase.token))
        #expect(page.contains(#"<section id="empty" class="empty" hidden"#))
    }

    @Test("Markup in a notification is escaped")
    func escapes() async throws {
        let page = try await drawn { apns in
            let body = #"{"aps":{"alert":"<script>document.title='owned'</script><img src=x onerror=1>"}}"#
            _ = try await apns.send(["apns-topic": "com.example.app"], body: body)
        }
        #expect(page.contains("&lt;script&gt;document.title='owned'&lt;/script&gt;&lt;img src=x onerror=1&gt;"))
        #expect(!page.contains("<script>document"))
        #expect(!page.contains("<img"))
        #expect(page.contains("<title>Phones"))
    }

    @Test("A silent push is shown as one")
    func marksSilent() async throws {
        let page = try await drawn { apns in
            _ = try await apns.send(
                ["apns-push-type": "background", "apns-priority": "5"], body: #"{"aps":{"content-available":1}}"#)
        }
        #expect(page.contains(#"class="banner silent""#))
    }

    @Test("An empty page says what to do")
    func explainsItself() async throws {
        let page = try await drawn { _ in }
        #expect(page.contains("No phone has rung yet"))
        #expect(page.contains(#"<section id="empty" class="empty">"#))
    }

    @Test("shows each part of a Windows notification as a card")
    func showsWindowsNotification() async throws {
        var page = ""
        try await WebCase.run(WebCase.settingsWithPage) { web in
            try await web.sendWindowsNotification("Credited")
            page = try await Browser.document(at: web.pageURL("/?still"))
        }
        #expect(page.matches(of: /<li class="banner/).count == 4)
        #expect(page.contains("<p>Credited</p>"))
        for part in ["toast", "tile", "badge", "raw"] {
            #expect(page.contains(#"<span class="state">\#(part)</span>"#))
        }
        #expect(page.contains(">4 messages</span>"))
        #expect(page.contains(">badge 3</span>"))
    }

    @Test("shows a refused request on the phone that it is for")
    func showsRefusal() async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.number == 2 ? .status(503, reason: "ServiceUnavailable") : nil }
        let page = try await drawn(settings) { apns in
            for _ in 1...2 { _ = try await apns.send() }
        }
        #expect(page.matches(of: /<li class="phone"/).count == 1)
        #expect(page.contains(#"<li class="banner refused">"#))
        #expect(page.contains(#"<p class="bad">refused: 503 ServiceUnavailable</p>"#))
    }

    /// Returns the page's document after `act`.
    private func drawn(
        _ settings: PushSandbox.Settings = PushSandbox.Settings(), _ act: (APNsCase) async throws -> Void
    ) async throws -> String {
        var settings = settings
        settings.pagePort = 0
        var page = ""
        try await APNsCase.run(settings) { apns in
            try await act(apns)
            page = try await Browser.document(at: "http://127.0.0.1:\(try #require(apns.sandbox.pagePort))/?still")
        }
        return page
    }
}

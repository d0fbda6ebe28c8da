import PushModel
import Testing

private let hex = String(repeating: "0123456789abcdef", count: 4)

@Suite("Device tokens")
struct DeviceTokenTests {
    @Test(
        "An APNs token is kept in lower case without brackets and blanks",
        arguments: [hex, hex.uppercased(), "<\(hex.prefix(32)) \(hex.suffix(32))>", " \(hex)\n"])
    func apns(text: String) throws {
        #expect(try DeviceToken(text, platform: .apple).value == hex)
    }

    @Test(
        "An invalid APNs token is refused with the reason",
        arguments: [
            ("", "it is empty"), ("<>", "it is empty"),
            (hex.dropLast() + "g", "it holds something other than hexadecimal digits"),
            ("é" + hex, "it holds something other than hexadecimal digits"),
            ("abcd", "it has 4 hexadecimal digits, 64 (32 bytes) or more are expected"),
            (hex + "a", "it has 65 hexadecimal digits, 64 (32 bytes) or more are expected"),
            (
                String(repeating: hex, count: 7),
                "it has 448 hexadecimal digits, 64 (32 bytes) or more are expected"
            ),
        ])
    func badAPNs(text: String, reason: String) {
        #expect {
            try DeviceToken(text, platform: .apple)
        } throws: { error in
            "\(error)" == "not a device token for Apple: \(reason)"
        }
    }

    @Test("An APNs token longer than 32 bytes is accepted")
    func longAPNs() throws {
        #expect(try DeviceToken(hex + hex, platform: .apple).value == hex + hex)
    }

    @Test("An FCM token keeps its case and loses blanks around it")
    func fcm() throws {
        #expect(try DeviceToken(" APA91bH:x-Y_z.1%2=\n", platform: .android).value == "APA91bH:x-Y_z.1%2=")
    }

    @Test(
        "An invalid FCM token is refused with the reason",
        arguments: [
            ("  ", "it is empty"), ("a b", "it holds something other than letters, digits and - _ : . % ="),
            ("a/b", "it holds something other than letters, digits and - _ : . % ="),
            (String(repeating: "a", count: 4097), "it is longer than 4096 characters"),
        ])
    func badFCM(text: String, reason: String) {
        #expect {
            try DeviceToken(text, platform: .android)
        } throws: { error in
            "\(error)" == "not a device token for Android: \(reason)"
        }
    }

    @Test(
        "A channel URI on Microsoft's hosts is kept as it is",
        arguments: [
            ("https://db5.notify.windows.com/?token=AwYA%2fx", Platform.windows),
            ("https://hk2.wns.windows.com:443/?token=a", .windows),
            ("https://DB5.Notify.Windows.com/?token=a", .windows),
            ("http://s.notify.live.net/u/1/db3/H2Q/a", .windowsPhone),
        ])
    func channels(text: String, platform: Platform) throws {
        #expect(try DeviceToken(text, platform: platform).value == text)
    }

    @Test(
        "A channel URI that leads elsewhere is refused",
        arguments: [
            "https://evil.example/?token=a", "https://notify.windows.com.evil.example/", "https://notify.windows.com/",
            "https://evilnotify.windows.com/", "https://user@db5.notify.windows.com/",
            "https://evil.example#.notify.windows.com/", "https://evil.example/.notify.windows.com",
            "https://evil.example\\.notify.windows.com/", "ftp://db5.notify.windows.com/", "db5.notify.windows.com",
            "https://db5.notify.windows.com/ x", "", "https://s.notify.live.net/u/1",
            "https://db5.notify.windows.com/" + String(repeating: "a", count: 2048),
        ])
    func badChannels(text: String) {
        #expect(throws: DeviceTokenError.self) { try DeviceToken(text, platform: .windows) }
    }

    @Test("A refusal never holds the token")
    func errorWithoutToken() {
        #expect {
            try DeviceToken("https://secret.example/abc", platform: .windows)
        } throws: { error in
            !"\(error)".contains("secret")
        }
    }

    @Test("A stored token is taken as it is")
    func stored() {
        #expect(DeviceToken(stored: "any thing").value == "any thing")
    }

    @Test("A token shows only its ends in a log")
    func description() {
        #expect("\(DeviceToken(stored: hex))" == "012345…cdef")
        #expect("\(DeviceToken(stored: "0123456789abcdef"))" == "…")
    }
}

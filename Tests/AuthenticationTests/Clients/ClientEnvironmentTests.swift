import Authentication
import Core
import PushModel
import Testing

@Suite("Environments")
struct ClientEnvironmentTests {
    @Test(
        "Spellings that differ in case only are the same environment",
        arguments: [
            ("iOSnative", "iOSNative"), ("Androidnative", "androidNative"),
            ("WindowsPhone8native", "windowsphone8Native"),
            ("desktopbrowser", "desktopBrowser"), ("mobilewebapp", "mobileWebApp"), ("windowsPhone8", "windowsphone8"),
        ])
    func spellings(left: String, right: String) {
        #expect(ClientEnvironment(left) == ClientEnvironment(right))
        #expect(Set([ClientEnvironment(left), ClientEnvironment(right)]).count == 1)
        #expect(ClientEnvironment(left).name == left)
        #expect("\(ClientEnvironment(right))" == right)
    }

    @Test(
        "An environment determines the kind of client",
        arguments: [
            ("android", "device"), ("iphone", "device"), ("iPad", "device"), ("blackberry10", "device"),
            ("windowsphone8", "device"), ("windows8", "device"), ("windowsphoneuniversal", "device"),
            ("iOSnative", "native device"),
            ("Androidnative", "native device"), ("JavaMEnative", "native device"), ("desktopbrowser", "browser"),
            ("mobilewebapp", "browser"), ("common", "browser"), ("preview", "browser"), ("air", "other"),
            ("symbian", "other"), ("", "other"),
        ])
    func kinds(name: String, kind: String) {
        let environment = ClientEnvironment(name)
        #expect(environment.isDevice == kind.contains("device"))
        #expect(environment.isNative == kind.contains("native"))
        #expect(environment.isBrowser == (kind == "browser"))
    }

    @Test(
        "The push service that reaches it",
        arguments: [
            ("iphone", Platform.apple), ("iOSnative", .apple), ("android", .android), ("Androidnative", .android),
            ("windows8", .windows), ("windowsphoneuniversal", .windows), ("windowsphone8", .windowsPhone),
            ("desktopbrowser", nil), ("common", nil), ("nonsense", nil),
        ] as [(String, Platform?)])
    func platforms(name: String, platform: Platform?) {
        #expect(ClientEnvironment(name).platform == platform)
    }

    @Test(
        "Native clients are built from descriptors whose elements are named otherwise",
        arguments: [
            ("iOSnative", "nativeiosapp"), ("Androidnative", "nativeandroidapp"), ("JavaMEnative", "nativejavameapp"),
            ("WindowsPhone8native", "nativewindowsphone8app"), ("Windows8native", "nativewindows8app"),
            ("desktopBrowser", "desktopbrowser"),
        ])
    func descriptors(name: String, element: String) {
        #expect(ClientEnvironment(name).descriptorName == element)
    }
}

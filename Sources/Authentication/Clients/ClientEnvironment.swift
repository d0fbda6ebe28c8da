import Core
public import PushModel

/// The kind of client that an application was built for, as named in a request's path (wire-protocol 1).
///
/// The native SDKs spell theirs differently from version to version, so the case does not matter.
public struct ClientEnvironment: Sendable, Hashable, CustomStringConvertible {
    /// The name, as the client spells it.
    public let name: String
    private let key: String

    public init(_ name: String) {
        self.name = name
        key = name.lowercased()
    }

    public var description: String { name }

    /// True if the client is built on a native SDK, not on the hybrid JavaScript.
    public var isNative: Bool { key.hasSuffix("native") }

    /// True for a page in a browser, whose cookies others may try to plant, and which takes new ones.
    public var isBrowser: Bool { ["mobilewebapp", "desktopbrowser", "common", "preview"].contains(key) }

    /// True if the original served its pages, so that they need no installation.
    public var isWebApp: Bool { Self.webApps.contains(key) }

    private static let webApps: Set = ["mobilewebapp", "desktopbrowser", "facebook", "igoogle", "embeddedpage"]

    /// True if it runs on a device that has an identity (wire-protocol 3.1: others only prove that their requests are not forgeries).
    public var isDevice: Bool { isNative || Self.hybridDevices.contains(key) }

    private static let hybridDevices: Set = [
        "android", "iphone", "ipad", "blackberry", "blackberry10", "windowsphone", "windowsphone8",
        "windowsphoneuniversal", "windows8",
    ]

    /// The push service that reaches it; `nil` when none does.
    public var platform: Platform? { isDevice ? Platform(key) : nil }

    /// The name of its element in an application's descriptor, in lower case (server-api 5.2): `nativeandroidapp` for the
    /// clients of `Androidnative`.
    public var descriptorName: String {
        isNative ? "native\(key.dropLast("native".count))app" : key
    }

    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The application that a request comes from: its id, environment and version.
public struct ClientApplication: Sendable, Hashable {
    /// The `id` of its descriptor.
    public let id: String
    public let environment: ClientEnvironment
    /// `x-wl-app-version`; empty when the client does not say.
    public let version: String

    public init(id: String, environment: ClientEnvironment, version: String) {
        self.id = id
        self.environment = environment
        self.version = version
    }
}

import Foundation

/// The settings of `worklight.plist` (seed 000): the server's address and the application.
///
/// ```swift
/// let settings = WorklightSettings(host: "localhost", port: 10080, context: "/worklight", applicationID: "MyNative")
/// let client = WLClient(settings: settings)
/// ```
public struct WorklightSettings: Sendable, Equatable {
    /// The scheme of the server's URL, `http` or `https`; the key `protocol`.
    public var scheme: String
    /// The server's name or address, an IPv6 address without brackets; the key `host`.
    public var host: String
    /// The server's port; the key `port`.
    public var port: Int
    /// The context root, a path without a slash at its end, or empty for `/`; the key `wlServerContext`.
    public var context: String
    /// The application's id, as in the application descriptor; the key `application id`.
    public var applicationID: String
    /// The application's version; the key `application version`.
    public var applicationVersion: String
    /// The application's environment, such as `iOSnative`; the key `environment`.
    public var environment: String
    /// The release of the SDK that the application reports, as in the key `wlPlatformVersion`; `nil`, as in clients of 5.0.6, for none.
    public var platformVersion: String?
    /// The default timeout until the complete response to a request and, on Linux, the timeout for establishing a connection; 10 s by
    /// default. `worklight.plist` has no such key; `WLRequestOptions` has the same default (seed 004, 2.2.4).
    public var requestTimeout: Duration

    /// Creates settings without a file.
    ///
    /// - Parameter context: the context root, with or without slashes at its ends.
    public init(
        scheme: String = "http", host: String, port: Int, context: String = "/", applicationID: String,
        applicationVersion: String = "1.0", environment: String = "iOSnative", platformVersion: String? = nil,
        requestTimeout: Duration = .seconds(10)
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port
        let path = context.drop { $0 == "/" }
        let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
        self.context = trimmed.isEmpty ? "" : "/\(trimmed)"
        self.applicationID = applicationID
        self.applicationVersion = applicationVersion
        self.environment = environment
        self.platformVersion = platformVersion
        self.requestTimeout = requestTimeout
    }

    /// The URL of the context root, before the paths of wire-protocol 1.
    var root: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name):\(port)\(context)"
    }

    /// The URL before the names of the application's actions, with a slash at its end.
    var applicationURL: String {
        let (id, environment) = (FormText.encoded(applicationID), FormText.encoded(environment))
        return "\(root)/apps/services/api/\(id)/\(environment)/"
    }

    /// True if the environment supports push notifications; browser environments do not (wire-protocol 4.3).
    var supportsPush: Bool {
        let name = environment.lowercased()
        return !["mobilewebapp", "desktopbrowser", "air", "preview", "common"].contains(name)
    }
}

/// An error in a `worklight.plist`.
public struct SettingsProblem: Error, Equatable, CustomStringConvertible {
    /// The file, as the caller named it.
    public let file: String
    /// The key; `nil` for the whole file.
    public let key: String?
    /// The expected and the actual value, and the remedy.
    public let problem: String

    public var description: String {
        key.map { "\(file): \($0): \(problem)" } ?? "\(file): \(problem)"
    }
}

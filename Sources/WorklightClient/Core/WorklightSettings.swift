import Foundation

/// What `worklight.plist` says (seed 000): where the server is, and which application asks.
public struct WorklightSettings: Sendable, Equatable {
    /// `protocol`: `http` or `https`.
    public var scheme: String
    /// `host`: a name or an address, IPv6 without brackets.
    public var host: String
    /// `port`.
    public var port: Int
    /// `wlServerContext`: the path before all others, without a slash at its end; empty for `/`.
    public var context: String
    /// `application id`, as in the application descriptor.
    public var applicationID: String
    /// `application version`.
    public var applicationVersion: String
    /// `environment`, such as `iOSnative`.
    public var environment: String
    /// `wlPlatformVersion`: the release of the SDK that the application says it has. Clients of 5.0.6 say none.
    public var platformVersion: String?
    /// How long a request waits for its whole answer unless its options say otherwise, and how long any request waits for a
    /// connection. `worklight.plist` has no such key; 10 s are `WLRequestOptions`' default (seed 004, 2.2.4).
    public var requestTimeout: Duration

    /// - Parameter context: with or without slashes at its ends.
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

    /// Everything before the paths of wire-protocol 1.
    var root: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name):\(port)\(context)"
    }

    /// What the application's own actions are under.
    var applicationURL: String {
        let (id, environment) = (FormText.encoded(applicationID), FormText.encoded(environment))
        return "\(root)/apps/services/api/\(id)/\(environment)/"
    }

    /// Whether notifications can reach the environment: those in browsers have none (wire-protocol 4.3).
    var supportsPush: Bool {
        let name = environment.lowercased()
        return !["mobilewebapp", "desktopbrowser", "air", "preview", "common"].contains(name)
    }
}

/// What is wrong with a `worklight.plist`.
public struct SettingsProblem: Error, Equatable, CustomStringConvertible {
    /// The file, as the caller named it.
    public let file: String
    /// The key; `nil` for the whole file.
    public let key: String?
    /// What was expected, what there is, and what to do.
    public let problem: String

    public var description: String {
        key.map { "\(file): \($0): \(problem)" } ?? "\(file): \(problem)"
    }
}

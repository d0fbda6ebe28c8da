public import AdapterRuntime
public import Delivery
public import Foundation

/// How an installation runs.
public struct InstallationSettings: Sendable {
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// A push service without credentials is replaced by the preview mediator.
        case development
        /// A push service without credentials is a reason not to start.
        case production
    }

    /// The Worklight project.
    public var project: URL
    /// Where the store lives; `nil` for `.lamplighter` in the project.
    public var data: URL?
    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 10080
    /// The path under which `/invoke` is found; `/` for the top.
    public var contextRoot = "/"
    public var mode = Mode.development
    public var runtime = RuntimeSettings()
    public var push = PushServiceSettings()
    /// How long a stopping server waits for what is running.
    public var gracePeriod = Duration.seconds(10)
    /// How long ended deliveries are remembered.
    public var deliveryRetention = Duration.seconds(7 * 24 * 3600)
    /// The largest request that is read, in bytes.
    public var longestRequest = 4 << 20

    public init(project: URL) {
        self.project = project
    }

    public var dataFolder: URL { data ?? project.appending(path: ".lamplighter") }
}

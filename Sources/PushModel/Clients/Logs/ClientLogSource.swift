/// A client's description of itself in the headers `x-wl-clientlog-*` (wire-protocol 2, 7). It is not verified.
public struct ClientLogSource: Sendable, Hashable {
    /// The largest size of a value that is kept whole, in bytes of UTF-8; longer ones are cut and end in "…".
    public static let textBytes = 256

    public let applicationID: String?
    public let applicationVersion: String?
    public let environment: String?
    public let deviceID: String?
    public let model: String?
    public let osVersion: String?

    public init(
        applicationID: String? = nil, applicationVersion: String? = nil, environment: String? = nil,
        deviceID: String? = nil, model: String? = nil, osVersion: String? = nil
    ) {
        let bounded = { (text: String?) in text?.bounded(toBytes: Self.textBytes) }
        self.applicationID = bounded(applicationID)
        self.applicationVersion = bounded(applicationVersion)
        self.environment = bounded(environment)
        self.deviceID = bounded(deviceID)
        self.model = bounded(model)
        self.osVersion = bounded(osVersion)
    }

    /// - Parameter header: the value of a request's header; it is asked for names in lower case. An empty one counts as
    ///   absent.
    public init(header: (String) -> String?) {
        func value(_ name: String) -> String? { header("x-wl-clientlog-" + name).flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            applicationID: value("appname"), applicationVersion: value("appversion"), environment: value("env"),
            deviceID: value("deviceid"), model: value("model"), osVersion: value("osversion"))
    }
}

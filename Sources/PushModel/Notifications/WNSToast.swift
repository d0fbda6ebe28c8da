/// The `toast` of a `WNS` block: a text that slides in.
public struct WNSToast: Sendable, Hashable {
    /// What the app is given when the toast is tapped.
    public var launch: String?
    /// The text, in one or more forms from which the device takes the one that fits.
    public var bindings: [WNSBinding]

    public init(launch: String? = nil, bindings: [WNSBinding] = []) {
        self.launch = launch
        self.bindings = bindings
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        launch = try options.string("launch")
        bindings = try WNSBinding.all(in: options)
    }
}

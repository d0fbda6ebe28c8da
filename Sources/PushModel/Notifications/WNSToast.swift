import Core

/// The `toast` of a `WNS` block: a text that slides in.
public struct WNSToast: Sendable, Hashable {
    /// What the app is given when the toast is tapped. An object in the options, as IBM's samples have it, goes as its JSON.
    public var launch: String?
    /// The text, in one or more forms from which the device takes the one that fits.
    public var bindings: [WNSBinding]

    /// The template that shows a single text, wrapped.
    public static let plainTemplate = "ToastText01"

    public init(launch: String? = nil, bindings: [WNSBinding] = []) {
        self.launch = launch
        self.bindings = bindings
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        launch = options.value("launch").map { $0.string ?? $0.text }
        bindings = try WNSBinding.all(in: options, example: Self.plainTemplate)
    }
}

/// The `tile` of a `WNS` block: what the app's tile on the start screen shows.
public struct WNSTile: Sendable, Hashable {
    /// The contents, in one or more forms: usually one for each size of the tile.
    public var bindings: [WNSBinding]

    /// The template that shows a single text, wrapped.
    public static let plainTemplate = "TileSquareText04"

    public init(bindings: [WNSBinding] = []) {
        self.bindings = bindings
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        bindings = try WNSBinding.all(in: options, example: Self.plainTemplate)
    }
}

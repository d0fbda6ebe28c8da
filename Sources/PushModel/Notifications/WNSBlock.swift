public import Core

/// The `WNS` block of a notification, for Windows 8 and later (server-api 2.8, since 7.0).
///
/// Each part that is present is sent as a separate message.
public struct WNSBlock: Sendable, Hashable {
    /// The adapter's own data, for the app alone.
    public var raw: JSONObject?
    public var toast: WNSToast?
    public var tile: WNSTile?
    /// The value of the badge: a whole number from 0, or one of ``glyphs``. Windows shows `99+` for numbers above 99.
    public var badge: String?

    /// The badges that are no numbers (learn.microsoft.com, "Badge notifications for Windows apps").
    public static let glyphs = [
        "none", "activity", "alarm", "alert", "attention", "available", "away", "busy", "error", "newMessage", "paused",
        "playing", "unavailable",
    ]

    public init(
        raw: JSONObject? = nil, toast: WNSToast? = nil, tile: WNSTile? = nil, badge: String? = nil
    ) {
        self.raw = raw
        self.toast = toast
        self.tile = tile
        self.badge = badge
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        raw = try options.reader("raw")?.object("payload")
        if let toast = try options.reader("toast") { self.toast = try WNSToast(toast) }
        if let tile = try options.reader("tile") { self.tile = try WNSTile(tile) }
        if let badge = try options.reader("badge") { self.badge = try Self.badge(in: badge) }
    }

    private static func badge(in options: OptionsReader) throws(NotificationError) -> String? {
        guard let value = options.value("value") else { return nil }
        if let name = value.string {
            if glyphs.contains(name) { return name }
            // Windows shows this for a larger number; it is not a valid value.
            if name == "99+" { return "100" }
        }
        guard let number = try? options.wholeNumber("value"), number >= 0 else {
            throw options.mismatch(
                "value", expected: "a whole number from 0 or one of \(glyphs.joined(separator: ", "))", found: value)
        }
        return String(number)
    }
}

/// One form of a toast's or a tile's contents: a template of Windows and what fills it.
public struct WNSBinding: Sendable, Hashable {
    /// The template's name, for example `ToastText01`.
    public var template: String
    /// The strings, in the template's order.
    public var texts: [String]
    /// The addresses of the images, in the template's order.
    public var images: [String]

    public init(template: String, texts: [String] = [], images: [String] = []) {
        self.template = template
        self.texts = texts
        self.images = images
    }

    /// - Parameter example: the name of a template that fits, for the error.
    init(_ options: OptionsReader, example: String) throws(NotificationError) {
        // WNS takes a binding without a template, and Windows shows nothing of it.
        guard let template = try options.string("template"), !template.isEmpty else {
            throw options.mismatch(
                "template", expected: "the name of a template of Windows, such as \"\(example)\"",
                found: options.value("template") ?? .null)
        }
        self.template = template
        texts = []
        for text in try options.readers("text") { texts.append(try text.string("content") ?? "") }
        images = []
        for image in try options.readers("image") { images.append(try image.string("src") ?? "") }
    }

    /// The bindings of a toast's or a tile's `visual`. The samples write an object for toasts and an array for tiles;
    /// both are read for both.
    static func all(in options: OptionsReader, example: String) throws(NotificationError) -> [WNSBinding] {
        guard let visual = try options.reader("visual") else { return [] }
        var bindings: [WNSBinding] = []
        for binding in try visual.readers("binding") { bindings.append(try WNSBinding(binding, example: example)) }
        return bindings
    }
}

/// The `tile` of a `WNS` block: the content of the app's tile on the start screen.
public struct WNSTile: Sendable, Hashable {
    /// The contents, in one or more forms: usually one for each size of the tile.
    public var bindings: [WNSBinding]

    /// The template that shows a single string, wrapped.
    public static let plainTemplate = "TileSquareText04"

    public init(bindings: [WNSBinding] = []) {
        self.bindings = bindings
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        bindings = try WNSBinding.all(in: options, example: Self.plainTemplate)
    }
}

/// The `toast` of a `WNS` block: a message that slides in.
public struct WNSToast: Sendable, Hashable {
    /// The argument that the app gets when the toast is tapped. An object in the options, as in IBM's samples, is sent as its JSON.
    public var launch: String?
    /// The message, in one or more forms from which the device takes the one that fits.
    public var bindings: [WNSBinding]

    /// The template that shows a single string, wrapped.
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

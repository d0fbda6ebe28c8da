/// One form of a toast's or a tile's contents: a template of Windows and what fills it.
public struct WNSBinding: Sendable, Hashable {
    /// The template's name, for example `ToastText01`.
    public var template: String?
    /// The texts, in the template's order.
    public var texts: [String]
    /// The addresses of the images, in the template's order.
    public var images: [String]

    public init(template: String? = nil, texts: [String] = [], images: [String] = []) {
        self.template = template
        self.texts = texts
        self.images = images
    }

    init(_ options: OptionsReader) throws(NotificationError) {
        template = try options.string("template")
        texts = []
        for text in try options.readers("text") { texts.append(try text.string("content") ?? "") }
        images = []
        for image in try options.readers("image") { images.append(try image.string("src") ?? "") }
    }

    /// The bindings of a toast's or a tile's `visual`. The samples write an object for toasts and an array for tiles;
    /// both are read for both.
    static func all(in options: OptionsReader) throws(NotificationError) -> [WNSBinding] {
        guard let visual = try options.reader("visual") else { return [] }
        var bindings: [WNSBinding] = []
        for binding in try visual.readers("binding") { bindings.append(try WNSBinding(binding)) }
        return bindings
    }
}

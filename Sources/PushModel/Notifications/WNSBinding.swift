import Core

/// One form of a toast's or a tile's contents: a template of Windows and what fills it.
public struct WNSBinding: Sendable, Hashable {
    /// The template's name, for example `ToastText01`.
    public var template: String
    /// The texts, in the template's order.
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

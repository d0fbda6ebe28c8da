import PushModel

/// The XML bodies of WNS.
enum WNSXML {
    static func toast(_ toast: WNSToast) -> String {
        let launch = toast.launch.map { " launch=\"\($0.escapedForXML)\"" } ?? ""
        return "\(prolog)<toast\(launch)>\(visual(toast.bindings, template: "ToastText01"))</toast>"
    }

    static func tile(_ tile: WNSTile) -> String {
        "\(prolog)<tile>\(visual(tile.bindings, template: "TileSquareText04"))</tile>"
    }

    static func badge(_ value: String) -> String { "\(prolog)<badge value=\"\(value.escapedForXML)\"/>" }

    private static let prolog = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    /// - Parameter template: for bindings that name none: the one that shows a single text, wrapped.
    private static func visual(_ bindings: [WNSBinding], template: String) -> String {
        let contents = bindings.map { binding in
            let images = binding.images.enumerated().map { "<image id=\"\($0 + 1)\" src=\"\($1.escapedForXML)\"/>" }
            let texts = binding.texts.enumerated().map { "<text id=\"\($0 + 1)\">\($1.escapedForXML)</text>" }
            let name = (binding.template ?? template).escapedForXML
            return "<binding template=\"\(name)\">\((images + texts).joined())</binding>"
        }
        return "<visual>\(contents.joined())</visual>"
    }
}

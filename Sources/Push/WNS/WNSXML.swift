import Core
import PushModel

/// The XML bodies of WNS.
enum WNSXML {
    static func toast(_ toast: WNSToast) -> String {
        let launch = toast.launch.map { " launch=\"\($0.escapedForXML)\"" } ?? ""
        return "\(prolog)<toast\(launch)>\(visual(toast.bindings))</toast>"
    }

    static func tile(_ tile: WNSTile) -> String {
        "\(prolog)<tile>\(visual(tile.bindings))</tile>"
    }

    static func badge(_ value: String) -> String { "\(prolog)<badge value=\"\(value.escapedForXML)\"/>" }

    private static let prolog = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    private static func visual(_ bindings: [WNSBinding]) -> String {
        let contents = bindings.map { binding in
            let images = binding.images.enumerated().map { "<image id=\"\($0 + 1)\" src=\"\($1.escapedForXML)\"/>" }
            let texts = binding.texts.enumerated().map { "<text id=\"\($0 + 1)\">\($1.escapedForXML)</text>" }
            return
                "<binding template=\"\(binding.template.escapedForXML)\">\((images + texts).joined())</binding>"
        }
        return "<visual>\(contents.joined())</visual>"
    }
}

import Mustache

/// The console's templates, style sheet, script and icon.
enum ConsolePages {
    static let stylesheet = text(PackageResources.console_css)
    static let script = text(PackageResources.console_js)
    static let icon = text(PackageResources.icon_svg)

    /// Renders a template as HTML; all values are escaped.
    ///
    /// - Parameters:
    ///   - name: `page` for a whole page, `section` and `strip` for parts that have changed.
    ///   - context: the values of the template.
    static func render(_ name: String, _ context: [String: Any]) -> String {
        library.render(context, withTemplate: name) ?? ""
    }

    private static let library: MustacheLibrary = {
        let files = [
            "block": PackageResources.block_mustache, "chart": PackageResources.chart_mustache,
            "field": PackageResources.field_mustache, "page": PackageResources.page_mustache,
            "section": PackageResources.section_mustache, "strip": PackageResources.strip_mustache,
            "table": PackageResources.table_mustache, "value": PackageResources.value_mustache,
        ]
        do {
            return MustacheLibrary(templates: try files.mapValues { try MustacheTemplate(string: text($0)) })
        } catch {
            // The files are part of the build.
            preconditionFailure("a template of the console has a mistake: \(error)")
        }
    }()

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

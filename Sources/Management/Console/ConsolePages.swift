import Mustache

/// The console's templates, style sheet, script and icon.
enum ConsolePages {
    static let stylesheet = EmbeddedText.console_css
    static let script = EmbeddedText.console_js
    static let icon = EmbeddedText.icon_svg

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
            "block": EmbeddedText.block_mustache, "chart": EmbeddedText.chart_mustache,
            "field": EmbeddedText.field_mustache, "page": EmbeddedText.page_mustache,
            "section": EmbeddedText.section_mustache, "strip": EmbeddedText.strip_mustache,
            "table": EmbeddedText.table_mustache, "value": EmbeddedText.value_mustache,
        ]
        do {
            return MustacheLibrary(templates: try files.mapValues { try MustacheTemplate(string: $0) })
        } catch {
            // The files are part of the build.
            preconditionFailure("a template of the console has a mistake: \(error)")
        }
    }()
}

/// The parts of the runtime library that a translated script needs in its global scope.
public enum RuntimeHelper: String, Sendable, Hashable, CaseIterable {
    /// Loops over values and iterators, comprehensions, generators of Rhino's kind; `Iterator` and `StopIteration`.
    case iteration
    /// XML objects; `XML`, `XMLList`, `QName`, `Namespace`, `isXMLName`.
    case xml
    /// `Array.forEach(list, f)`, `String.trim(text)` and the like.
    case generics
    /// `toSource()` and `uneval`.
    case source
    /// `JavaAdapter` and `JavaImporter`, for the classes of ``JavaLibrary``.
    case java

    /// The one name that translated scripts use. A script that uses it itself is refused.
    public static let name = "__rhino"

    /// The methods that Rhino had on `Array` and `String` themselves.
    static let genericNames: [String: Set<String>] = [
        "Array": [
            "concat", "every", "filter", "forEach", "indexOf", "join", "lastIndexOf", "map", "pop", "push", "reduce",
            "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "unshift",
        ],
        "String": [
            "charAt", "charCodeAt", "concat", "indexOf", "lastIndexOf", "localeCompare", "match", "replace", "search",
            "slice",
            "split", "substr", "substring", "toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase",
            "trim",
            "trimLeft", "trimRight",
        ],
    ]

    /// Returns a script that puts `helpers` into the global scope, before the adapter's own script runs there. Its definitions are not enumerable.
    /// Running it again does no harm; it needs neither `eval` nor `Function`.
    public static func script(for helpers: Set<RuntimeHelper>) -> String {
        // The later ones use the first.
        let parts = [base] + allCases.filter { helpers.contains($0) || $0 == .iteration }.map(\.text)
        return helpers.isEmpty ? "" : parts.joined(separator: "\n")
    }

    private var text: String {
        switch self {
        case .iteration: Self.iterationText
        case .xml: Self.xmlText
        case .generics: Self.genericsText
        case .source: Self.sourceText
        case .java: Self.javaText
        }
    }

    private static let iterationText = EmbeddedText.iteration_js
    private static let sourceText = EmbeddedText.to_source_js
    private static let javaText = EmbeddedText.java_importer_js
    private static let xmlText = [
        EmbeddedText.xml_tree_js, EmbeddedText.xml_reader_js, EmbeddedText.xml_writer_js,
        EmbeddedText.xml_object_js,
    ].joined(separator: "\n")

    private static let genericsText: String = {
        let lists = genericNames.sorted { $0.key < $1.key }.map { owner, names in
            "\(owner): \"\(names.sorted().joined(separator: " "))\""
        }
        return EmbeddedText.generics_js + ".call(this, { \(lists.joined(separator: ", ")) });"
    }()

    private static let base = """
        (function (global) {
            "use strict";
            if (!global.\(name)) Object.defineProperty(global, "\(name)", { __proto__: null, value: {} });
        })(this);
        """
}

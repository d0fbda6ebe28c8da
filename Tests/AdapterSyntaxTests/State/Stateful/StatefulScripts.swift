import Testing

/// One adapter script and what it shows.
struct ScriptCase: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String

    init(_ name: String, _ script: String) {
        self.name = name
        self.script = script
    }

    var testDescription: String { name }
}

/// Adapter scripts that hold state across calls, or freeze at load what a later call would find otherwise.
enum StatefulScripts {
    static let all: [ScriptCase] = [
        aliases, references, closures, natives, server, flow,
        hiding, objects, prototypes, language, documents, load,
    ].flatMap { $0 }
}

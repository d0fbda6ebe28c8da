/// One adapter script and what it shows.
package struct ScriptCase: Sendable, CustomStringConvertible {
    package let name: String
    package let script: String

    init(_ name: String, _ script: String) {
        self.name = name
        self.script = script
    }

    package var description: String { name }
}

/// Adapter scripts that hold state across calls, or freeze at load what a later call would find otherwise.
package enum StatefulScripts {
    package static let all: [ScriptCase] = [
        aliases, references, closures, natives, server, flow,
        hiding, objects, prototypes, language, documents, load,
    ].flatMap { $0 }
}

/// Adapter scripts that hold no state across calls.
package enum StatelessScripts {
    package static let all: [ScriptCase] = [
        requests, push, helpers, loops, shapes,
    ].flatMap { $0 }
}

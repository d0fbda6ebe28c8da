/// Adapter scripts that hold no state across calls.
enum StatelessScripts {
    static let all: [ScriptCase] = [
        requests, push, helpers, loops, shapes,
    ].flatMap { $0 }
}

import AdapterSyntax
import Testing

/// Translates a script and runs what comes out.
func translateAndRun(_ source: String) async throws -> Engine.Outcome {
    let translation = try Translation(of: SyntaxTree(source, file: "A.js"))
    return try await Engine().run(translation.source, prelude: RuntimeHelper.script(for: translation.helpers))
}

func translation(_ source: String) throws -> Translation {
    try Translation(of: SyntaxTree(source, file: "A.js"))
}

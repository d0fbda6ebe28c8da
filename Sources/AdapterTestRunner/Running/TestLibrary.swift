import Core
import JavaScriptEngine
import LamplighterTesting

/// What a test file's scope has besides the language: `describe`, `it`, `expect` and `harness`, written in JavaScript.
struct TestLibrary {
    /// The declared suites and tests, and what runs them.
    let suites: ScriptValue
    /// The functions `begin` and `end` of expect.js, which run around each test.
    let expectations: ScriptValue
    /// What answers in a stub's place.
    let answer: ScriptValue

    /// - Parameter host: what `harness` asks for what is not the language's.
    /// - Throws: what the scripts throw.
    init(in context: ScriptContext, host: ScriptValue) throws {
        let evaluate = { (name: String, text: String) in
            try context.evaluate(text, file: "lamplighter:\(name)")
        }
        let language = try evaluate("language", EmbeddedText.language_js).call([])
        suites = try evaluate("describe", EmbeddedText.describe_js).call([context.global, language])

        let equality = try evaluate("equality", EmbeddedText.equality_js).call([language])
        let showing = try evaluate("showing", EmbeddedText.showing_js).call([language, equality])
        let asymmetric = try evaluate("asymmetric", EmbeddedText.asymmetric_js).call([language, equality])
        let recordOf = try evaluate("spies", EmbeddedText.spies_js)
            .call([context.global, language, try showing.get("text")])
        let matchers = try evaluate("matchers", EmbeddedText.matchers_js)
            .call([language, equality, showing, recordOf])
        let difference = try context.makeFunction("difference", Self.difference)
        expectations = try evaluate("expect", EmbeddedText.expect_js)
            .call([context.global, language, equality, asymmetric, showing, matchers, difference])

        answer = try evaluate("harness", EmbeddedText.harness_js)
            .call([context.global, language, host, try expectations.get("show")])
    }
}

extension TestLibrary {
    /// The lines in which two texts differ; nothing when they do not.
    static func difference(_ call: HostCall) throws -> ScriptValue {
        let difference = LineDifference.between(expected: try call[0].text(), found: try call[1].text())
        return difference.map { call.context.make($0) } ?? call.context.undefined
    }
}

import Core
import JavaScriptEngine
import LamplighterTesting

/// The global functions of a test file, `describe`, `it`, `expect`, `harness` and others, which are written in JavaScript.
struct TestLibrary {
    /// The object of describe.js, with the declared suites and tests, and the functions that run them.
    let suites: ScriptValue
    /// The object of expect.js, with the functions `begin` and `end`, which run around each test.
    let expectations: ScriptValue
    /// The function of harness.js that calls the function of a stub.
    let answer: ScriptValue

    /// Evaluates the scripts of the library.
    ///
    /// - Parameter host: the function that `harness` calls for the operations of the harness.
    /// - Throws: the errors of the scripts.
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
    /// Returns the lines that differ between two strings; undefined when they are equal.
    static func difference(_ call: HostCall) throws -> ScriptValue {
        let difference = LineDifference.between(expected: try call[0].text(), found: try call[1].text())
        return difference.map { call.context.make($0) } ?? call.context.undefined
    }
}

import JavaScriptEngine
import LamplighterTesting

extension TestFailureError {
    /// What a test threw.
    ///
    /// - Parameter file: the test file; the place is the innermost one in it.
    init(_ error: any Error, in file: String) {
        switch error {
        case let error as ScriptError:
            let frames = Self.frames(error.stack)
            let own = frames.lazy.compactMap { ScriptLocation(stackFrame: $0) }.first { $0.file == file }
            let location = error.location.flatMap { $0.file == file ? $0 : nil }
            // Assertions need no name in front of what they say, nor do errors of adapters, whose messages have it.
            let isNamed = error.name.map { error.message.contains("\($0): ") } ?? false
            let isPlain = error.name == "AssertionError" || error.name == "Error" || isNamed
            let message = isPlain ? error.message : error.summary
            self.init(message: message, place: own ?? location, stack: frames)
        case let error as LimitExceededError:
            self.init(error, in: file, meanwhile: nil)
        case let error as TestSyntaxError:
            self.init(message: error.message, place: error.location, stack: [])
        default:
            // What a harness throws has the place of one of this module's lines.
            self.init(message: (error as? any HarnessError)?.message ?? "\(error)", place: nil, stack: [])
        }
    }

    /// A test that was stopped.
    ///
    /// - Parameter meanwhile: what the adapter did, for which the test waited.
    init(_ error: LimitExceededError, in file: String, meanwhile: String?) {
        let frames = Self.frames(error.stack)
        let what = error.label.procedure + error.description.dropFirst(error.label.description.count)
        self.init(
            message: [what, meanwhile].compactMap(\.self).joined(separator: "\n"),
            place: frames.lazy.compactMap { ScriptLocation(stackFrame: $0) }.first { $0.file == file }, stack: frames)
    }

    /// The calls in the test's own files.
    private static func frames(_ stack: String?) -> [String] {
        (stack ?? "").split(separator: "\n").map(String.init).filter {
            !$0.contains("@lamplighter:") && !$0.hasSuffix("[native code]")
        }
    }
}

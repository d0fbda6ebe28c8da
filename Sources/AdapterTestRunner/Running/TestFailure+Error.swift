import JavaScriptEngine
import LamplighterTesting

extension TestFailure {
    /// What a test threw.
    ///
    /// - Parameter file: the test file; the place is the innermost one in it.
    init(_ error: any Error, in file: String) {
        switch error {
        case let error as ScriptException:
            let frames = (error.stack ?? "").split(separator: "\n").map(String.init).filter {
                !$0.contains("@lamplighter:")
            }
            let own = frames.lazy.compactMap { ScriptLocation(stackFrame: $0) }.first { $0.file == file }
            let location = error.location.flatMap { $0.file == file ? $0 : nil }
            // Assertions need no name in front of what they say.
            let message = error.name == "AssertionError" || error.name == "Error" ? error.message : error.summary
            self.init(message: message, place: own ?? location, stack: frames)
        case let error as LimitExceeded:
            let frames = (error.stack ?? "").split(separator: "\n").map(String.init)
            self.init(message: error.description, place: nil, stack: frames)
        default:
            self.init(message: "\(error)", place: nil, stack: [])
        }
    }
}

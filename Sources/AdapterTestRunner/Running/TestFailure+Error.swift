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
            let own = frames.lazy.compactMap { Self.place(of: $0) }.first { $0.file == file }
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

    /// The place in `function@file:line:column`.
    private static func place(of frame: String) -> ScriptLocation? {
        guard let match = frame.wholeMatch(of: /[^@]*@(.+):(\d+):(\d+)/), let line = Int(match.2) else { return nil }
        return ScriptLocation(file: String(match.1), line: line, column: Int(match.3))
    }
}

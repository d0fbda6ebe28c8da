import JavaScriptEngine
import LamplighterTesting

extension TestFailureError {
    /// Creates the failure for an error that a test threw.
    ///
    /// - Parameter file: the test file. The position is that of the innermost call in it.
    init(_ error: any Error, in file: String) {
        switch error {
        case let error as ScriptError:
            let frames = Self.frames(error.stack)
            let own = frames.lazy.compactMap { ScriptLocation(stackFrame: $0) }.first { $0.file == file }
            let location = error.location.flatMap { $0.file == file ? $0 : nil }
            // The message of an assertion needs no class name before it. Messages of adapters' errors already have one.
            let isNamed = error.name.map { error.message.contains("\($0): ") } ?? false
            let isPlain = error.name == "AssertionError" || error.name == "Error" || isNamed
            let message = isPlain ? error.message : error.summary
            self.init(message: message, place: own ?? location, stack: frames)
        case let error as LimitExceededError:
            self.init(error, in: file, meanwhile: nil)
        case let error as TestSyntaxError:
            self.init(message: error.message, place: error.location, stack: [])
        default:
            // The position in an error of the harness is a line of this module, so it is not reported.
            self.init(message: (error as? any HarnessError)?.message ?? "\(error)", place: nil, stack: [])
        }
    }

    /// Creates the failure for a test that exceeded a limit.
    ///
    /// - Parameter meanwhile: the error of the adapter's call for which the test waited; `nil` without a call.
    init(_ error: LimitExceededError, in file: String, meanwhile: String?) {
        let frames = Self.frames(error.stack)
        let what = error.label.procedure + error.description.dropFirst(error.label.description.count)
        self.init(
            message: [what, meanwhile].compactMap(\.self).joined(separator: "\n"),
            place: frames.lazy.compactMap { ScriptLocation(stackFrame: $0) }.first { $0.file == file }, stack: frames)
    }

    /// Returns the frames of a stack, without those of the test library and of native code.
    private static func frames(_ stack: String?) -> [String] {
        (stack ?? "").split(separator: "\n").map(String.init).filter {
            !$0.contains("@lamplighter:") && !$0.hasSuffix("[native code]")
        }
    }
}

import Foundation

/// What Swift's runtime does when the process crashes. By default it writes a trace of all threads with all symbols. For a release build that
/// takes a quarter of an hour, in which the crashed process keeps its ports.
enum CrashTrace {
    private static let variable = "SWIFT_BACKTRACE"
    /// The crashed thread alone, with the names of functions and without lines: some seconds.
    private static let short = "threads=crashed,images=none,registers=none,symbolicate=fast,interactive=no"

    /// Starts the program once more, in the same process, with a short trace; does nothing where the variable is set.
    ///
    /// The runtime reads the variable before `main` begins, so setting it is not enough. Call this on the main thread before anything else has
    /// begun: the program that is executed again inherits the signals that its thread blocks, and those of Dispatch block SIGTERM.
    static func shorten() {
        guard ProcessInfo.processInfo.environment[variable, default: ""].isEmpty, setenv(variable, short, 1) == 0,
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return }
        // It returns only when it fails. The trace is a long one then.
        execv(program, CommandLine.unsafeArgv)
    }
}

import CJavaScriptCore
import Foundation
import Synchronization

/// What must happen once in a process before JavaScriptCore starts.
///
/// JavaScriptCore suspends threads for garbage collection with a signal, SIGUSR1 unless told otherwise, and one that
/// comes from outside then kills the process. ``prepare()`` moves it to SIGRTMIN+5 and lets SIGUSR1 be ignored, so that a
/// stray one does nothing. It must come first: later the engine no longer listens.
public enum EngineProcess {
    private static let outcome: Result<Void, EngineStartError> = Result { () throws(EngineStartError) in
        if let name = lamplighterMissingJSCFunction() {
            throw .missingFunction(String(cString: name))
        }
        // Optimized code then looks by itself whether it should stop. Otherwise a thread of the engine's must catch it at a
        // good moment, which with recursion that catches its own end took up to four seconds.
        setenv("JSC_usePollingTraps", "1", 1)
        guard JSConfigureSignalForGC(lamplighterGarbageCollectionSignal()) else {
            throw .startedTooEarly
        }
        lamplighterIgnoreSignal(SIGUSR1)
    }

    /// Prepares the process; every later call has the first one's outcome.
    ///
    /// A ``VirtualMachine`` calls it by itself. A program calls it at the top of `main` all the same, lest another
    /// library start JavaScriptCore before.
    ///
    /// - Throws: ``EngineStartError``.
    public static func prepare() throws(EngineStartError) {
        try outcome.get()
    }
}

/// Why JavaScriptCore cannot be used in this process.
public enum EngineStartError: Error, Hashable, CustomStringConvertible {
    /// The installed library lacks a function that Lamplighter needs.
    case missingFunction(String)
    /// JavaScriptCore was running already, so its signal can no longer be moved.
    case startedTooEarly

    public var description: String {
        switch self {
        case .missingFunction(let name):
            "the installed JavaScriptCore lacks \(name); Lamplighter was measured with libjavascriptcoregtk-4.1 2.50: "
                + "install that version, or report this one"
        case .startedTooEarly:
            "JavaScriptCore started before Lamplighter could move its garbage collection signal away from SIGUSR1; call "
                + "EngineProcess.prepare() at the top of main"
        }
    }
}

import CEngineMemory
import CJavaScriptCore
import Foundation
import Synchronization

/// The preparation of a process before JavaScriptCore starts, which must happen once.
///
/// JavaScriptCore suspends threads for garbage collection with a signal, SIGUSR1 by default, and one that
/// comes from outside then kills the process. ``prepare()`` moves it to SIGRTMIN+5 and lets SIGUSR1 be ignored, so that a
/// stray one does nothing. It must come first: later the engine no longer listens.
///
/// It also fixes how deep the calls of scripts may nest, and has the engine poll for the end of a call's time, on which
/// ``TrapBookkeeping`` relies.
public enum EngineProcess {
    /// The part of its thread's stack that a script may use, in bytes; beyond it, the script gets a RangeError.
    ///
    /// The engine's own default. About 70,000 nested calls of a small function, at least 10,000 of a large one.
    public static let stackSize = 5 << 20

    private static let outcome: Result<Void, EngineStartError> = Result { () throws(EngineStartError) in
        if let name = lamplighterMissingJSCFunction() {
            throw .missingFunction(String(cString: name))
        }
        // Optimized code then checks by itself whether it should stop. Otherwise a thread of the engine's must catch it at a
        // good moment, which with recursion that catches its own end took up to four seconds.
        setenv("JSC_usePollingTraps", "1", 1)
        // Otherwise each machine has a second thread for its collector.
        setenv("JSC_useConcurrentGC", "0", 1)
        // The engine collects a small heap at eight times this size. Its own value, 1 MB, lets 50 machines hold 400 MB of garbage.
        setenv("JSC_smallHeapSize", "524288", 1)
        lamplighter_use_small_pages()
        setenv("JSC_maxPerThreadStackUsage", "\(stackSize)", 1)
        guard JSConfigureSignalForGC(lamplighterGarbageCollectionSignal()) else {
            throw .startedTooEarly
        }
        lamplighterIgnoreSignal(SIGUSR1)
    }

    /// A problem of the engine that does not keep scripts from running; `nil` when there is none.
    public static var warning: String? {
        let isRepaired =
            (!TrapBookkeeping.isNeedless || TrapBookkeeping.isInPlace) && DescriptorReserve.isInPlace
            && lamplighter_limits_allocations()
            && SymbolReplacement.isInPlace("_ZN3WTF6Thread7suspendERKNS_19ThreadSuspendLockerE")
        guard !isRepaired else { return nil }
        return """
            JavaScriptCore can abort this process or take all memory, and what prevents it is not in effect: this program was linked without \
            exporting its symbols; build it with 'make release'
            """
    }

    /// True if the engine translates scripts to machine code. It reserves memory for that when the first machine starts: the only
    /// pages of a process that can be written and executed. Without the memory it interprets scripts, and reports nothing.
    public static var hasJIT: Bool {
        // The file has no size, so that reading it as a whole would end early.
        guard let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() else { return true }
        return String(decoding: maps, as: UTF8.self).contains(" rwxp ")
    }

    /// Returns when one of the threads that run scripts has time. Scripts that compute or wait delay it by milliseconds, since another thread
    /// takes over.
    public static func respond() async {
        let machine = ScriptThread(idleDelay: .zero)
        await withCheckedContinuation { continuation in machine.enqueue { continuation.resume() } }
    }

    /// Prepares the process; every later call has the first one's outcome.
    ///
    /// A ``VirtualMachine`` calls it by itself. A program calls it at the top of `main` all the same, since
    /// another library might start JavaScriptCore before.
    ///
    /// - Throws: ``EngineStartError``.
    public static func prepare() throws(EngineStartError) {
        try outcome.get()
    }
}

/// The reason why JavaScriptCore cannot start in this process.
public enum EngineStartError: Error, Hashable, CustomStringConvertible {
    /// The installed library lacks a function that Lamplighter needs.
    case missingFunction(String)
    /// JavaScriptCore was running already, so its signal can no longer be moved.
    case startedTooEarly
    /// The process has no file descriptor left for another machine, with the system's reason.
    case noDescriptors(String)

    public var description: String {
        switch self {
        case .missingFunction(let name):
            "the installed JavaScriptCore lacks \(name); Lamplighter was measured with libjavascriptcoregtk-4.1 2.50: "
                + "install that version, or report this one"
        case .startedTooEarly:
            "JavaScriptCore started before Lamplighter could move its garbage collection signal away from SIGUSR1; call "
                + "EngineProcess.prepare() at the top of main"
        case .noDescriptors(let reason):
            "no JavaScript machine was started: the process has no file descriptor left (\(reason)); raise its limit on open "
                + "files (ulimit -n, LimitNOFILE in systemd)"
        }
    }
}

/// Functions of this program that replace a library's function of the same name.
enum SymbolReplacement {
    /// Returns whether calls of `name` reach this program's function.
    static func isInPlace(_ name: String) -> Bool {
        // A null handle is RTLD_DEFAULT: the order in which the libraries' own calls are resolved.
        let found = dlsym(nil, name)
        return found != nil && found != original(name)
    }

    /// Returns the library's function of that name.
    static func original(_ name: String) -> UnsafeMutableRawPointer? {
        // RTLD_NEXT, a macro that Swift cannot read: the libraries after the program itself.
        dlsym(UnsafeMutableRawPointer(bitPattern: -1), name)
    }
}

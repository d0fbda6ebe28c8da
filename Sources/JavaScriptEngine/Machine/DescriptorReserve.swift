import CJavaScriptCore
import Foundation
import Synchronization

// EXPIRES: GLib's g_wakeup_new no longer ends the process without a descriptor; looked at 2026-11-27, next 2027-11-27

/// File descriptors that are reserved for the engine, for the calls that must not fail.
///
/// Each thread that runs scripts has a GLib main context, which needs a descriptor of eventfd(2), and so has a thread of the
/// engine's own. If none is left, GLib ends the process ("Creating pipes for GWakeup: Too many open files"). So the descriptors
/// are made beforehand, and the function below replaces the C library's and hands them out when the system has no more; see
/// ``SymbolReplacement``.
///
/// A check that 64 descriptors are free before a machine starts does not replace the reserve: other threads open files at the same
/// time. With that check alone, `runtime-benchmark machines 20 96` ended in GLib's abort in one of three runs (debug build, up to 80
/// descriptors free at a time); with up to 32 free it started no machine.
///
/// The descriptors for the process go to whichever thread asks first, since the engine's own thread cannot be distinguished from
/// others. That thread asks once, with the first script that runs under a limit. Afterwards the engine does not need them, and
/// ``fill()`` replaces those that are gone or refuses the next machine. Before, an event loop of NIO could take one. But NIO asks
/// between epoll_create(2) and timerfd_create(2), for which there is no reserve, and ends the process when either fails.
enum DescriptorReserve {
    /// The flags with which GLib calls: EFD_CLOEXEC and EFD_NONBLOCK, which have the same values as these.
    private static let flags = O_CLOEXEC | O_NONBLOCK
    /// The largest number of descriptors that a machine's start takes.
    private static let countForMachine = 2
    /// The largest number of descriptors that the engine's own threads take.
    private static let countForProcess = 2

    private struct State {
        var ofThreads: [pthread_t: [Int32]] = [:]
        var ofProcess: [Int32] = []
    }

    private static let state = Mutex(State())

    /// True if the function below is called instead of the C library's.
    static let isInPlace = SymbolReplacement.isInPlace("eventfd")

    /// Makes the descriptors for a machine that this thread is about to start, and those for the process where they are missing.
    ///
    /// - Throws: ``EngineStartError/noDescriptors(_:)``.
    static func fill() throws(EngineStartError) {
        let missing = state.withLock { max(countForProcess - $0.ofProcess.count, 0) }
        var made: [Int32] = []
        for _ in 0..<(countForMachine + missing) {
            let descriptor = lamplighterMakeEventDescriptor(0, flags)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                for descriptor in made { close(descriptor) }
                throw .noDescriptors(reason)
            }
            made.append(descriptor)
        }
        state.withLock { state in
            state.ofThreads[pthread_self()] = Array(made.prefix(countForMachine))
            state.ofProcess += made.dropFirst(countForMachine)
        }
    }

    /// Closes what the start of this thread's machine has not taken.
    static func empty() {
        let left = state.withLock { $0.ofThreads.removeValue(forKey: pthread_self()) }
        for descriptor in left ?? [] { close(descriptor) }
    }

    fileprivate static func make(_ value: UInt32, _ flags: Int32) -> Int32 {
        let descriptor = lamplighterMakeEventDescriptor(value, flags)
        guard descriptor < 0 else { return descriptor }
        let reason = errno
        guard reason == EMFILE || reason == ENFILE, value == 0, flags == Self.flags else { return descriptor }
        let kept = state.withLock { $0.ofThreads[pthread_self()]?.popLast() ?? $0.ofProcess.popLast() }
        errno = reason
        return kept ?? -1
    }
}

/// In place of eventfd(2); see `DescriptorReserve`.
@_cdecl("eventfd")
public func lamplighterEventDescriptor(_ value: UInt32, _ flags: Int32) -> Int32 {
    DescriptorReserve.make(value, flags)
}

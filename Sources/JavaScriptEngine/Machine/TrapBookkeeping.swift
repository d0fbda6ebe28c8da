import CJavaScriptCore
import Foundation
import Synchronization

// EXPIRES: every supported Debian has WebKitGTK 2.52 or later; looked at 2026-11-27, next 2027-05-27

/// Repairs a race in WebKitGTK 2.50 by which the end of a script's time slice can abort the whole process.
///
/// The engine's timer thread sets a trap bit in the machine and then calls `VMTraps::requestThreadStopIfNeeded`. The script's
/// thread clears the bit and then calls `cancelThreadStopIfNeeded`. Both functions assert that a flag of the machine agrees
/// with its bits, but the bits change outside the lock: when a second timer fires between the two steps of either thread, the
/// assertion fails and calls `abort()`. WebKit fixed it in November 2025 (pull request 54019), after 2.50 had branched.
///
/// Nothing but the assertions needs that flag while the engine polls for traps, as ``EngineProcess/prepare()`` makes it do. So
/// the two functions below, which have the names of the library's, do nothing. The dynamic linker takes them in place of the
/// library's own, since a program's symbols come before those of its libraries, and the library calls both through it. With
/// another version of the library they call the original.
enum TrapBookkeeping {
    private static let names = (
        request: "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj", cancel: "_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv"
    )

    private typealias Request = @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void
    private typealias Cancel = @convention(c) (UnsafeMutableRawPointer?) -> Void

    private static let requests = Atomic(0)
    private static let cancellations = Atomic(0)
    /// The number of calls of each function that have come here from the library.
    static var callCounts: (requests: Int, cancellations: Int) {
        (requests.load(ordering: .relaxed), cancellations.load(ordering: .relaxed))
    }

    /// True if the installed library has the race and can do without the two functions.
    static let isNeedless = jsc_get_major_version() == 2 && jsc_get_minor_version() == 50

    /// True if the dynamic linker binds the library to this program's functions. It would not if the program were linked
    /// without exporting them.
    static let isInPlace = [names.request, names.cancel].allSatisfy(SymbolReplacement.isInPlace)

    private static let request = SymbolReplacement.original(names.request)
        .map { unsafeBitCast($0, to: Request.self) }
    private static let cancel = SymbolReplacement.original(names.cancel).map { unsafeBitCast($0, to: Cancel.self) }

    fileprivate static func requestStop(_ traps: UnsafeMutableRawPointer?, _ event: UInt32) {
        requests.add(1, ordering: .relaxed)
        if !isNeedless { request?(traps, event) }
    }

    fileprivate static func cancelStop(_ traps: UnsafeMutableRawPointer?) {
        cancellations.add(1, ordering: .relaxed)
        if !isNeedless { cancel?(traps) }
    }
}

/// In place of `JSC::VMTraps::requestThreadStopIfNeeded(unsigned)`; see `TrapBookkeeping`.
@_cdecl("_ZN3JSC7VMTraps25requestThreadStopIfNeededEj")
public func lamplighterRequestThreadStop(_ traps: UnsafeMutableRawPointer?, _ event: UInt32) {
    TrapBookkeeping.requestStop(traps, event)
}

/// In place of `JSC::VMTraps::cancelThreadStopIfNeeded()`; see `TrapBookkeeping`.
@_cdecl("_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv")
public func lamplighterCancelThreadStop(_ traps: UnsafeMutableRawPointer?) {
    TrapBookkeeping.cancelStop(traps)
}

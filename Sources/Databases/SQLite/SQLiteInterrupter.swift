import Core
import Foundation
import GRDBSQLite

/// Ends a statement of a connection when its time is up, also while SQLite reads it, and when it would nest too deep for the thread's stack.
///
/// Used on the thread that has the connection.
final class SQLiteInterrupter {
    private var deadline = Deadline(in: .zero)
    private var stackAtStart: UInt = 0
    /// The thread's CPU time at the first check of a statement; `nil` for a short one.
    private var cpuTimeAtStart: Duration?
    /// True if the statement was ended because of its CPU time.
    private(set) var hasUsedItsCPUTime = false
    private var handle: OpaquePointer?
    /// True if the statement was refused because of its depth.
    private(set) var isTooDeep = false

    /// The part of the stack that SQLite may use, in bytes: each trigger that sets off another, and each view of a view, takes some hundred bytes. A
    /// virtual machine's thread has 8 MB, of which its script may use 5.
    private static let deepestStack: UInt = 1 << 20

    /// The number of SQLite's instructions between two checks. A single one can take some milliseconds with the longest value.
    private static let instructionsBetweenChecks: Int32 = 1000

    /// Has the connection ask. Lives as long as the connection.
    func watch(_ handle: OpaquePointer) {
        self.handle = handle
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, Self.instructionsBetweenChecks, { SQLiteInterrupter.of($0)?.mustEnd == true ? 1 : 0 }, context)
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, database, _ in
                guard let watch = SQLiteInterrupter.of(context), watch.goesOn else { return SQLITE_DENY }
                return SQLiteAuthorizer.allows(action, first, second, in: database) ? SQLITE_OK : SQLITE_DENY
            }, context)
    }

    /// Begins to watch a statement.
    func start(_ deadline: Deadline) {
        self.deadline = deadline
        isTooDeep = false
        hasUsedItsCPUTime = false
        cpuTimeAtStart = nil
        // Each time: a statement before may have set SQLite's own, by PRAGMA busy_timeout.
        sqlite3_busy_handler(
            handle, { SQLiteInterrupter.of($0)?.waits($1) ?? 0 }, Unmanaged.passUnretained(self).toOpaque())
        stackAtStart = Self.stackPointer
    }

    /// Counts the CPU time of a statement that was long enough to be checked.
    func end() {
        guard let cpuTimeAtStart, let now = ThreadCPUClock().now else { return }
        deadline.cpu?.count(now - cpuTimeAtStart)
        self.cpuTimeAtStart = nil
    }

    private var mustEnd: Bool {
        if let cpu = deadline.cpu, let now = ThreadCPUClock().now {
            let start = cpuTimeAtStart ?? now
            cpuTimeAtStart = start
            if cpu.isExceeded(with: now - start) { hasUsedItsCPUTime = true }
        }
        return hasUsedItsCPUTime || deadline.hasPassed
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SQLiteInterrupter? {
        context.map { Unmanaged<SQLiteInterrupter>.fromOpaque($0).takeUnretainedValue() }
    }

    /// About where the stack ends now.
    private static var stackPointer: UInt {
        var here = 0
        return withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
    }

    private var goesOn: Bool {
        // Stacks grow downwards.
        let here = Self.stackPointer
        if here < stackAtStart, stackAtStart - here > Self.deepestStack { isTooDeep = true }
        return !isTooDeep && !deadline.hasPassed
    }

    /// Waits for a file that another connection writes to. Each wait is longer than the one before, up to a short limit.
    private func waits(_ count: Int32) -> Int32 {
        guard !deadline.hasPassed else { return 0 }
        if count == 0 { deadline.onWait?() }
        usleep(UInt32(min(count + 1, 20)) * 1000)
        return 1
    }
}

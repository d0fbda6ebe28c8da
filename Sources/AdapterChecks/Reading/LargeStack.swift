import Foundation

/// Runs what reads scripts: the parser is recursive, and Swift's own threads have half a megabyte of stack.
enum LargeStack {
    /// As much as the scripts' own machines have, which the parser's limit of nesting is made for.
    private static let size = 8 << 20

    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = size
            thread.name = "check"
            thread.start()
        }
    }
}

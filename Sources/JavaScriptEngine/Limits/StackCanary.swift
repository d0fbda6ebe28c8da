import CJavaScriptCore
import Foundation

/// Tells whether the thread's stack has ever been deeper than a mark, as a chalk line tells of a tide.
///
/// A patch of memory far below the running code is filled with a pattern; deeper calls write over it. The engine has no
/// stack limit of its own to set, and the RangeError at its fixed ceiling is one that a script can catch.
///
/// Used only on the thread that made it, while the stack there is shallow.
final class StackCanary {
    /// More than any single frame leaves unwritten.
    private static let size = 2048
    private static let pattern: UInt8 = 0xA5

    private let stackTop: UnsafeMutableRawPointer
    private let lowest: UnsafeMutableRawPointer
    private var patch: UnsafeMutableRawPointer?
    private var depth = 0

    init() {
        var lowest: UnsafeMutableRawPointer?
        var size = 0
        guard lamplighterStackBounds(&lowest, &size), let lowest else {
            fatalError("the system does not tell the bounds of this thread's stack (pthread_getattr_np)")
        }
        self.lowest = lowest
        stackTop = lowest + size
    }

    /// Draws the line `depth` bytes from the stack's top.
    func draw(depth: Int) {
        guard self.depth != depth || !isPristine else { return }
        self.depth = depth
        // A guard page and what the engine keeps in reserve lie at the far end.
        let position = max(stackTop - depth - Self.size, lowest + (64 << 10)).alignedDown(toMultipleOf: 16)
        memset(position, Int32(Self.pattern), Self.size)
        patch = position
    }

    /// Whether calls have been there since. Zeros alone are the engine's: it wipes stack that was used before.
    var isDisturbed: Bool {
        guard let patch, !isPristine else { return false }
        let untouched = UInt64(repeating: Self.pattern)
        return UnsafeRawBufferPointer(start: patch, count: Self.size).bindMemory(to: UInt64.self)
            .contains { $0 != untouched && $0 != 0 }
    }

    private var isPristine: Bool {
        guard let patch else { return false }
        return patch.load(as: UInt8.self) == Self.pattern && memcmp(patch, patch + 1, Self.size - 1) == 0
    }
}

extension UInt64 {
    fileprivate init(repeating byte: UInt8) {
        self = 0x0101_0101_0101_0101 * UInt64(byte)
    }
}

import Foundation
import Synchronization

/// Where the terminal's own mode is kept, for the signals that end the program: the address of a `termios`, which is never
/// freed; 0 before the first.
private let modeOutside = Atomic(0)

/// A terminal that passes on each key, from the beginning until it is restored; also by a signal that ends the program.
/// There is one at a time.
struct RawMode {
    private static let endingSignals = [SIGTERM, SIGHUP, SIGINT]

    private let saved: UnsafeMutablePointer<termios>
    private var formerHandlers: [(signal: Int32, handler: (@convention(c) (Int32) -> Void)?)] = []

    init() {
        saved = UnsafeMutablePointer(bitPattern: modeOutside.load(ordering: .acquiring)) ?? .allocate(capacity: 1)
        saved.initialize(to: termios())
        tcgetattr(STDIN_FILENO, saved)
        modeOutside.store(Int(bitPattern: saved), ordering: .releasing)
        for number in Self.endingSignals {
            // Only what a signal may do: no locks, no memory.
            let former = signal(number) { number in
                let mode = UnsafeMutablePointer<termios>(bitPattern: modeOutside.load(ordering: .acquiring))
                if let mode { tcsetattr(STDIN_FILENO, TCSANOW, mode) }
                signal(number, SIG_DFL)
                raise(number)
            }
            if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
            formerHandlers.append((number, former))
        }
        take(signals: false)
    }

    /// Whether Ctrl-C and the like are signals, or keys like others.
    func take(signals: Bool) {
        var raw = saved.pointee
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        if !signals { raw.c_lflag &= ~tcflag_t(ISIG) }
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    }

    func restore() {
        tcsetattr(STDIN_FILENO, TCSADRAIN, saved)
        for (number, handler) in formerHandlers { signal(number, handler) }
    }
}

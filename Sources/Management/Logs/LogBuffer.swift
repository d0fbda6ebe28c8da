package import Core
import Foundation
public import Logging
import Synchronization

/// The newest lines of a running server's log, in memory, for `lamplighter logs`.
///
/// Writing a line never waits for a reader.
public final class LogBuffer: Sendable {
    /// The id of this run of the server; the numbers of lines restart at 1 in each run.
    public let run = UUID().uuidString.lowercased()

    /// The longest message, or value beside it, in bytes; longer ones are cut in this buffer, but not in other logs.
    private static let longestText = 64 << 10
    /// Replaces a line that is no longer kept.
    private static let gone = LogLine(time: "", level: .trace, message: "")

    private struct State {
        /// The kept lines are those from `first` on. Before it are empty ones, which go now and then.
        var lines: [LogLine] = []
        var first = 0
        var size = 0
        var last = 0
        var errors = 0
    }

    private let state = Mutex(State())
    private let kept: Int
    private let bytes: Int
    package let bell = ChangeSignal()

    /// - Parameters:
    ///   - kept: how many lines are kept.
    ///   - bytes: how much memory they may take, roughly.
    public init(kept: Int = 1000, bytes: Int = 8 << 20) {
        self.kept = kept
        self.bytes = bytes
    }

    /// Adds a line and assigns its number.
    public func append(_ line: LogLine) {
        var line = line.shortened(to: Self.longestText)
        let size = line.size
        let number = state.withLock { state in
            state.last += 1
            if line.level >= .error { state.errors += 1 }
            line.number = state.last
            state.lines.append(line)
            state.size += size
            while state.lines.count - state.first > kept || state.size > bytes, state.first < state.lines.count {
                state.size -= state.lines[state.first].size
                state.lines[state.first] = Self.gone
                state.first += 1
            }
            if state.first > kept + 16 {
                state.lines.removeFirst(state.first)
                state.first = 0
            }
            return state.last
        }
        bell.ring(number)
    }

    /// The number of lines at level error or critical since the start.
    var errors: Int { state.withLock { $0.errors } }

    /// The approximate memory of all lines, in bytes; for tests.
    var bytesHeld: Int { state.withLock { $0.lines.reduce(0) { $0 + $1.size } } }

    /// The filter for lines of the buffer.
    public struct Filter: Sendable, Hashable {
        /// Only lines of this level and of those above it.
        public var level: Logger.Level?
        /// Only lines about this adapter.
        public var adapter: String?

        public init(level: Logger.Level? = nil, adapter: String? = nil) {
            self.level = level
            self.adapter = adapter
        }

        func matches(_ line: LogLine) -> Bool {
            (level.map { line.level >= $0 } ?? true) && (adapter.map { line.adapter == $0 } ?? true)
        }
    }

    /// Returns the oldest lines after a number, or the newest of all.
    ///
    /// - Parameters:
    ///   - after: the number of the line that was read last; `nil` for the newest lines.
    ///   - limit: at most so many.
    func page(after: Int?, matching filter: Filter, limit: Int) -> FollowPage<LogLine> {
        // The lock is held only for a quick copy; the rest need not block threads that log.
        let (lines, last) = state.withLock { (Array($0.lines[$0.first...]), $0.last) }
        guard let after else {
            let found = lines.reversed().lazy.filter(filter.matches).prefix(limit)
            return FollowPage(entries: found.reversed(), last: last, lost: 0)
        }
        let firstKept = last - lines.count + 1
        var page = FollowPage<LogLine>(entries: [], last: last, lost: max(firstKept - 1 - after, 0))
        // Not `after + 1`, which could be more than a number holds.
        for line in lines.dropFirst(max(after - firstKept + 1, 0)) where filter.matches(line) {
            page.entries.append(line)
            if page.entries.count == limit {
                page.last = line.number
                break
            }
        }
        return page
    }
}

extension LogLine {
    fileprivate func shortened(to length: Int) -> LogLine {
        guard message.utf8.count > length || metadata.values.contains(where: { $0.utf8.count > length }) else {
            return self
        }
        return LogLine(
            time: time, level: level, adapter: adapter, message: message.shortened(to: length),
            metadata: metadata.mapValues { $0.shortened(to: length) }, numbers: numbers)
    }
}

extension String {
    fileprivate func shortened(to length: Int) -> String {
        guard utf8.count > length else { return self }
        return String(decoding: utf8.prefix(length), as: UTF8.self) + "… (\(utf8.count) bytes)"
    }
}

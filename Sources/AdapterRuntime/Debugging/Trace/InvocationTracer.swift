import Foundation
import Synchronization

/// Records a call. Passed with the ``Caller``; a call without a tracer only pays for one check.
public final class InvocationTracer: Sendable {
    /// The number of calls a trace holds; further ones are only counted.
    public static let mostNodes = 10_000

    /// The number of calls inside one another that a trace holds; deeper ones are only counted.
    public static let mostDepth = 100

    private struct Entry {
        let kind: InvocationTrace.Node.Kind
        let name: String
        var arguments: String?
        let place: String?
        let parent: Int?
        let start: Duration
        var end: Duration?
        var result: String?
        var exception: String?
    }

    private struct State {
        var entries: [Entry] = []
        /// The calls that run, outermost first.
        var running: [Int] = []
        /// The running functions that are not in the tree: they end one by one, too.
        var omittedFunctions = 0
        var omitted = 0
        var hides = false
        var hasFunctionResults = true
        var remarks: [String] = []

        var hasRoom: Bool {
            entries.count < InvocationTracer.mostNodes && running.count < InvocationTracer.mostDepth
                && omittedFunctions == 0
        }

        /// The innermost call, if it is a function that is in the tree.
        var innermostFunction: Int? {
            guard omittedFunctions == 0, let last = running.last, entries[last].kind == .function else { return nil }
            return last
        }
    }

    private let begin = ContinuousClock.now
    private let state = Mutex(State())

    public init() {}

    /// Names a call that runs; `nil` for one that is only counted.
    typealias Token = Int?

    /// True if arguments and results may be a secret.
    var hides: Bool {
        get { state.withLock { $0.hides } }
        set { state.withLock { $0.hides = newValue } }
    }

    /// True if a further call would be in the tree.
    var hasRoom: Bool { state.withLock { $0.hasRoom } }

    /// True if the innermost call is a function that is in the tree.
    var isInFunction: Bool { state.withLock { $0.innermostFunction != nil } }

    /// Replaces these strings by `…` in the whole trace.
    func hide(_ secrets: [String]) {
        guard !secrets.isEmpty else { return }
        state.withLock { state in
            for index in state.entries.indices {
                state.entries[index].arguments = state.entries[index].arguments?.hidingCut(secrets)
                state.entries[index].result = state.entries[index].result?.hidingCut(secrets)
                state.entries[index].exception = state.entries[index].exception?.hidingCut(secrets)
            }
        }
    }

    func enter(
        _ kind: InvocationTrace.Node.Kind, _ name: String, arguments: String?, place: String?
    ) -> Token {
        let now = ContinuousClock.now - begin
        return state.withLock { state in
            guard state.hasRoom else {
                state.omitted += 1
                return nil
            }
            state.entries.append(
                Entry(
                    kind: kind, name: name, arguments: arguments, place: place, parent: state.running.last, start: now))
            state.running.append(state.entries.count - 1)
            return state.entries.count - 1
        }
    }

    /// Ends a call, and those in it that were stopped before they could report their end.
    func leave(_ token: Token, result: String? = nil, exception: String? = nil) {
        guard let token else { return }
        let now = ContinuousClock.now - begin
        state.withLock { state in
            state.omittedFunctions = 0
            while let last = state.running.popLast() {
                state.entries[last].end = now
                if last == token { break }
            }
            state.entries[token].result = result
            state.entries[token].exception = exception
        }
    }

    /// Begins a function of the script's.
    func enterFunction(_ name: String, arguments: String?, place: String?) {
        if enter(.function, name, arguments: arguments, place: place) == nil {
            state.withLock { $0.omittedFunctions += 1 }
        }
    }

    /// Notes what the innermost function is about to throw.
    func noteException(_ text: String) {
        state.withLock { state in
            guard let function = state.innermostFunction else { return }
            state.entries[function].exception = text
            state.entries[function].result = nil
        }
    }

    /// Notes what the innermost function is about to return.
    func noteResult(_ text: String?) {
        state.withLock { state in
            guard state.hasFunctionResults, let function = state.innermostFunction else { return }
            state.entries[function].result = text
        }
    }

    /// Leaves out the results of all functions, earlier and later ones: one of them may have made a password.
    func dropFunctionResults() {
        state.withLock { state in
            state.hasFunctionResults = false
            for index in state.entries.indices where state.entries[index].kind == .function {
                state.entries[index].result = nil
            }
        }
    }

    /// Ends the innermost function.
    func leaveFunction() {
        let now = ContinuousClock.now - begin
        state.withLock { state in
            guard state.omittedFunctions == 0 else {
                state.omittedFunctions -= 1
                return
            }
            guard let function = state.innermostFunction else { return }
            state.entries[function].end = now
            state.running.removeLast()
        }
    }

    func remark(_ text: String) {
        state.withLock { $0.remarks.append(text) }
    }

    /// The trace up to now. Calls that still run end now.
    public var trace: InvocationTrace {
        let now = ContinuousClock.now - begin
        let (entries, omitted, remarks) = state.withLock { ($0.entries, $0.omitted, $0.remarks) }
        var children: [[InvocationTrace.Node]] = Array(repeating: [], count: entries.count)
        var roots: [InvocationTrace.Node] = []
        // Children come after their parents, so backwards every one is complete when its parent needs it.
        for (index, entry) in entries.enumerated().reversed() {
            let node = InvocationTrace.Node(
                kind: entry.kind, name: entry.name, arguments: entry.arguments, result: entry.result,
                place: entry.place, start: entry.start / .milliseconds(1),
                milliseconds: ((entry.end ?? now) - entry.start) / .milliseconds(1), exception: entry.exception,
                children: children[index].reversed())
            if let parent = entry.parent { children[parent].append(node) } else { roots.append(node) }
        }
        return InvocationTrace(nodes: roots.reversed(), omitted: omitted, remarks: remarks)
    }
}

extension String {
    /// Returns the string as ``hiding(_:)`` does, also if it was cut within a secret: then the beginning of the secret before the `…` is
    /// removed.
    fileprivate func hidingCut(_ secrets: [String]) -> String {
        let pieces = hiding(secrets).components(separatedBy: "…")
        guard pieces.count > 1 else { return pieces[0] }
        return pieces.dropLast().map { piece in
            let left =
                secrets.map { secret -> Int in
                    // Traces cut strings at 500 characters or before.
                    let start = Array(secret.utf8.prefix(2000))
                    let end = Array(piece.utf8.suffix(start.count))
                    return (1...max(1, end.count)).last { end.suffix($0).elementsEqual(start.prefix($0)) } ?? 0
                }.max() ?? 0
            return String(decoding: piece.utf8.dropLast(min(left, piece.utf8.count)), as: UTF8.self) + "…"
        }.joined() + pieces[pieces.count - 1]
    }
}

import Core
public import Foundation
import NIOConcurrencyHelpers

/// The calls of an adapter that have come and not ended: of procedures, callbacks, handlers and polls.
public struct ActiveCalls: Sendable, Hashable {
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// A script computes, or will as soon as the running step in its virtual machine has ended.
        case running
        /// For a back end, with or without its virtual machine.
        case waiting
        /// It has not begun: it waits for another call of the same session, or for its virtual machine.
        case queued
    }

    /// Calls in one phase.
    public struct Part: Sendable, Hashable {
        public var count = 0
        /// The time since which the first of them has been in this phase; `nil` if there are none.
        public var since: Date?

        init() {}
    }

    /// The calls in each phase; nothing of phases without calls.
    public var parts: [Phase: Part] = [:]

    /// No calls.
    public init() {}

    public subscript(phase: Phase) -> Part { parts[phase] ?? Part() }

    /// The numbers in words, such as `3 running, 2 waiting`; empty if there are no calls.
    public var summary: String {
        Phase.allCases.filter { self[$0].count > 0 }.map { "\(self[$0].count) \($0)" }.joined(separator: ", ")
    }
}

/// A call that has come and not ended.
struct ActiveCall {
    let adapter: String
    let phase: ActiveCalls.Phase
    /// The time at which the phase began, as milliseconds of uptime.
    let since: Int
}

extension VirtualMachinePool {
    /// The calls by adapter; nothing of those without calls.
    var activeCalls: [String: ActiveCalls] {
        let (now, date) = (now, time.now)
        var found: [String: ActiveCalls] = [:]
        for call in state.withLockedValue({ Array($0.calls.values) }) {
            let since = date.addingTimeInterval(Double(call.since - now) / 1000)
            var part = found[call.adapter]?[call.phase] ?? ActiveCalls.Part()
            part.count += 1
            part.since = min(part.since ?? since, since)
            found[call.adapter, default: ActiveCalls()].parts[call.phase] = part
        }
        return found
    }
}

extension AdapterRuntime {
    /// The calls that have come and not ended, by adapter; nothing of adapters without calls.
    public var activeCalls: [String: ActiveCalls] { pool.activeCalls }
}

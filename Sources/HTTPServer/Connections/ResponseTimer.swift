import NIOCore

/// Measures how long the server waits for a client to take what was written to it.
struct ResponseTimer {
    private struct Wait {
        let begin: NIODeadline
        var lastProgress: NIODeadline
        var taken = 0
    }

    private let stalledTime: TimeAmount
    private let timePerMegabyte: TimeAmount
    private var wait: Wait?

    init(settings: HTTPServerSettings) {
        stalledTime = TimeAmount(settings.stalledResponseTime)
        timePerMegabyte = TimeAmount(settings.responseTimePerMegabyte)
    }

    var isWaiting: Bool { wait != nil }

    /// The time from which on the client is too slow; nil while it owes nothing.
    var deadline: NIODeadline? {
        guard let wait else { return nil }
        let megabytes = Int64(wait.taken >> 20) + 1
        return min(wait.lastProgress + stalledTime, wait.begin + stalledTime + timePerMegabyte * megabytes)
    }

    /// The client has something to take from now on.
    mutating func begin(at now: NIODeadline) {
        if wait == nil { wait = Wait(begin: now, lastProgress: now) }
    }

    /// The client has taken some of it.
    mutating func took(_ bytes: Int, at now: NIODeadline) {
        wait?.taken += bytes
        wait?.lastProgress = now
    }

    /// The client has taken everything.
    mutating func end() { wait = nil }
}

/// Measures the time that the server has waited for a request's body. Only time with a read outstanding counts: while the request's handler asks for
/// no more, the client can do nothing.
struct BodyTimer {
    private let idle: TimeAmount
    private let perMegabyte: TimeAmount
    private var waited = TimeAmount.zero
    private var received = 0
    private var waitingSince: NIODeadline?

    init(settings: HTTPServerSettings) {
        idle = TimeAmount(settings.bodyIdleTime)
        perMegabyte = TimeAmount(settings.bodyTimePerMegabyte)
    }

    /// The time from which on the client is too slow; nil while the server itself does not read.
    var deadline: NIODeadline? {
        guard let waitingSince else { return nil }
        let megabytes = Int64(received >> 20) + 1
        return min(waitingSince + idle, waitingSince + (perMegabyte * megabytes - waited))
    }

    mutating func readRequested(at now: NIODeadline) {
        if waitingSince == nil { waitingSince = now }
    }

    mutating func received(_ bytes: Int, at now: NIODeadline) {
        if let since = waitingSince { waited = waited + (now - since) }
        received += bytes
        waitingSince = nil
    }
}

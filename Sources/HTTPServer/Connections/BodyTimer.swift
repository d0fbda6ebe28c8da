import NIOCore

/// How long the server has waited for a request's body. Only time with a read outstanding counts: while the request's
/// handler asks for no more, the client can do nothing.
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

    /// When the client has been too slow; nil while the server itself does not read.
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

import NIOCore

/// What the system holds of a connection's data until the client's system has acknowledged it.
enum SendQueue {
    #if os(Linux)
    /// The answer to `SO_MEMINFO` (`linux/sock_diag.h`): nine counters, of which the sixth is `SK_MEMINFO_WMEM_QUEUED`.
    private struct MemoryInfo {
        let receiveAllocated, receiveBuffer, sendAllocated, sendBuffer, forwardAllocated: UInt32
        let sendQueued: UInt32
        let options, backlog, drops: UInt32
    }

    private static let memoryInfo = NIOBSDSocket.Option(rawValue: 55)
    #endif

    /// Returns how much memory unacknowledged data takes, a queued end of the connection included. It shrinks only while the
    /// client's system acknowledges data. 0 where the system does not say.
    ///
    /// Call it on the channel's event loop.
    static func bytes(of channel: any Channel) -> Int {
        var result = 0
        #if os(Linux)
        if let socket = channel as? any SocketOptionProvider {
            let queued: EventLoopFuture<MemoryInfo> = socket.unsafeGetSocketOption(level: .socket, name: memoryInfo)
            // On the event loop the answer is there at once.
            queued.assumeIsolated().whenSuccess { result = Int($0.sendQueued) }
        }
        #endif
        return result
    }
}

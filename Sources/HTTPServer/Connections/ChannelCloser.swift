import NIOCore

/// Closes a channel when nobody holds it any more; does nothing to one that is closed.
final class ChannelCloser: Sendable {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    deinit { channel.close(promise: nil) }
}

extension NIOAsyncChannel {
    /// NIO ends the process when the last reference to an open channel's writer goes (`Deinited NIOAsyncWriter without calling
    /// finish()`), which happens where a cancelled task leaves channels behind in a sequence. Once the channel is closed, its
    /// writer may go.
    func keepUntilClosed() {
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(self) {} }
    }
}

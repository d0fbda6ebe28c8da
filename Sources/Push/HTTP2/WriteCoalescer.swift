import NIOCore

/// Makes one write of all writes between two flushes, so that TLS makes one record of many small frames and encrypts once.
final class WriteCoalescer: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var buffer = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    func handlerAdded(context: ChannelHandlerContext) {
        buffer = context.channel.allocator.buffer(capacity: 16 * 1024)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var data = unwrapOutboundIn(data)
        buffer.writeBuffer(&data)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        pass(context: context)
        context.flush()
        // What was passed on has been encrypted by now, so that the memory is ours alone again.
        buffer.clear()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { pass(context: context) }
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    private func pass(context: ChannelHandlerContext) {
        guard buffer.readableBytes > 0 else { return }
        let promise = promises.isEmpty ? nil : context.eventLoop.makePromise(of: Void.self)
        if let promise {
            let waiting = promises
            promises = []
            promise.futureResult.whenComplete { result in
                for promise in waiting { promise.completeWith(result) }
            }
        }
        context.write(wrapOutboundOut(buffer), promise: promise)
        buffer.moveReaderIndex(to: buffer.writerIndex)
    }
}

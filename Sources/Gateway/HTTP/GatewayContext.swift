import Hummingbird
import NIOCore

/// What goes along with a request.
struct GatewayContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// The address at which the connection arrived.
    let localAddress: SocketAddress?
    /// Whether it came as a stream of HTTP/2. A stream is the child of a connection; a connection that of a listener, which has
    /// no peer.
    let isStream: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        localAddress = source.channel.localAddress
        isStream = source.channel.parent?.remoteAddress != nil
    }
}

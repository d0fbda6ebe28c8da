import Hummingbird
import NIOCore

/// What goes along with a request to the router.
struct GatewayContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whether it came as a stream of HTTP/2. A stream is the child of a connection; a connection that of a listener, which has
    /// no peer.
    let isStream: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        isStream = source.channel.parent?.remoteAddress != nil
    }
}

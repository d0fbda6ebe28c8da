package import Hummingbird
import NIOCore

/// The context of a request in the router.
package struct ServerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// True if the request came as a stream of HTTP/2. A stream is the child of a connection; a connection that of a listener, which has no peer.
    package let isStream: Bool
    /// The peer's IP address; `nil` when it is gone.
    package let remoteAddress: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        let connection = source.channel.parent?.remoteAddress
        isStream = connection != nil
        remoteAddress = (connection ?? source.channel.remoteAddress)?.ipAddress
    }
}

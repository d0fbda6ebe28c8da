import Foundation
import Gateway
import NIOCore

/// An address on which the server cannot listen.
struct ListenError: Error, CustomStringConvertible {
    let description: String

    /// - Returns: `nil` when the error is about something else.
    init?(_ error: any Error) {
        guard let error = error as? PortError else { return nil }
        let (host, port) = (error.host, error.port)
        let (portAdvice, hostAdvice) =
            error.setting == "port" ? ("--port", "--host") : ("console.port", "console.host")
        let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        switch error.cause {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            description =
                "cannot listen on \(place): another program does already; end it, or choose another port with \(portAdvice) "
                + "(0 for any that is free)"
        case let error as IOError where error.errnoCode == EACCES:
            description =
                "cannot listen on \(place): it is not allowed, as ports below 1024 often are not; choose another with \(portAdvice)"
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
            description =
                "cannot listen on \(place): this machine does not have that address; choose another with \(hostAdvice)"
        case SocketAddressError.unknown, is SocketAddressError.UnknownHost:
            description = "cannot listen on \(place): there is no such host; choose another with \(hostAdvice)"
        default: return nil
        }
    }
}

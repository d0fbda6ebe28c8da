import Core
import Foundation
import HTTPTransfer
import NIOCore
import Server

/// The reason why a command failed.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    /// True if a server was asked and did not respond at all.
    var isUnreachable = false
    /// The problem (RFC 9457) that the management API returned.
    var problem: JSONValue?
}

extension CommandError {
    /// A problem of the management API.
    init(problem text: String, status: Int) {
        problem = try? JSONValue(parsing: text)
        let detail = problem?["detail"]?.string ?? "the server returned status \(status)"
        description = (problem?["field"]?.string).map { "\($0): \(detail)" } ?? detail
    }

    /// Describes why there is no response, with a remedy.
    ///
    /// - Parameters:
    ///   - url: the server's address.
    ///   - timeout: the timeout of the request.
    ///   - isOwn: whether the server has left its note, so that its address is right.
    init(_ failure: TransferError, from url: String, after timeout: Duration, isOwn: Bool) {
        isUnreachable = true
        switch failure.kind {
        case .timedOut:
            description =
                "the server at \(url) did not respond within \(Int(timeout.inSeconds)) s; it may go on with the request"
        case .noConnectionInTime:
            description = "\(url) cannot be reached: no response to the attempt to connect; is it the right address?"
        case .hostNotFound:
            description = "there is no host '\(URLComponents(string: url)?.host ?? url)'; check \(url)"
        case .notConnected where failure.systemError == ECONNREFUSED:
            description = "nothing listens at \(url); start the server, or check host and port"
        case .notConnected, .connectionBroken: description = "\(url) cannot be reached: \(failure.text)"
        case .connectionClosed(hasHead: false): description = Self.closed(url, isOwn: isOwn)
        case .connectionClosed(hasHead: true):
            description = "\(url) closed the connection in the middle of its response; it may have done what was asked"
        case .untrustedCertificate:
            description =
                "the certificate of \(url) comes from no authority that this machine trusts; name the authority's "
                + "certificate with --cacert FILE"
        case .certificateName:
            description =
                "the certificate of \(url) is made out to another name; use the name that it is made out to"
        case .tls where failure.text.contains("wrong version number"):
            description = "\(url) does not speak TLS; does it want http instead of https?"
        case .tls: description = "no secure connection to \(url): \(failure.text)"
        case .notHTTP: description = "the server at \(url) does not speak HTTP; is it the right address?"
        case .tooLarge: description = "the response of the server at \(url) is longer than 1 GB"
        default: description = "the server at \(url) did not respond: \(failure.text)"
        }
    }

    private static func closed(_ url: String, isOwn: Bool) -> String {
        if isOwn { return "the server at \(url) has ended, or closed the connection before it responded" }
        let other = url.hasPrefix("https:") ? "http" : "https"
        return "\(url) closed the connection without a response; does it want \(other) instead?"
    }
}

extension CommandError {
    /// Says why the server cannot listen on an address.
    ///
    /// - Returns: `nil` when the error is about something else.
    init?(listening error: any Error) {
        guard let error = error as? PortError else { return nil }
        let (portAdvice, hostAdvice) =
            error.setting == "port" ? ("--port", "--host") : ("console.port", "console.host")
        let place = Authority(host: error.host, port: error.port)
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

import AdapterRuntime
import Authentication
import Core
import Credentials
import Foundation
import HTTPServer
import HTTPTypes
import NIOCore

/// A client's request, and what is known of who sends it.
final class ClientRequestContext: Sendable {
    let call: IncomingRequest
    let session: ServerSession
    /// The application; `nil` for calls that name none.
    let application: ClientApplication?
    /// The request as scripts see it.
    let request: ClientRequest

    init(_ call: IncomingRequest, session: ServerSession, application: ClientApplication?, request: ClientRequest) {
        (self.call, self.session, self.application, self.request) = (call, session, application, request)
    }

    var head: HTTPRequest { call.request.head }
    var fields: FormFields { call.fields }
    /// The bytes of the body, for the few actions whose body is not a form.
    var body: ByteBuffer { call.body }

    var visit: RealmAuthenticator.RealmRequest {
        RealmAuthenticator.RealmRequest(
            session: session, request: request, isFromTrustedProxy: call.isFromTrustedProxy,
            network: call.rateLimitKey, certificateUser: { [call] in call.clientCertificate?.commonName })
    }

    var caller: Caller { Caller(session: session.client, request: request, logins: RequestLoginVisibility.current) }

    /// The version of the client's SDK; `nil` when it does not say, as those of 5.0.6 do not. Hybrid clients of 6.2 and later
    /// have it in `x-wl-app-details` (wire-protocol 2).
    var platformVersion: PlatformVersion? {
        if let text = head.headerFields.value(of: .platformVersion) { return PlatformVersion(text) }
        let details = head.headerFields.value(of: .appDetails).flatMap { try? JSONValue(parsing: $0) }
        return details?["applicationDetails"]?["platformVersion"]?.string.flatMap(PlatformVersion.init)
    }
}

extension HTTPField.Name {
    static let instanceID = HTTPField.Name.known("WL-Instance-Id")
    static let appVersion = HTTPField.Name.known("x-wl-app-version")
    static let platformVersion = HTTPField.Name.known("x-wl-platform-version")
    static let appDetails = HTTPField.Name.known("x-wl-app-details")
    static let oauthClient = HTTPField.Name.known("wl-oauth-client")
    static let authenticate = HTTPField.Name.known("X-WL-Authenticate")
    static let requestedWith = HTTPField.Name.known("X-Requested-With")

    static let contentTypeOptions = HTTPField.Name.known("X-Content-Type-Options")
    static let pragma = HTTPField.Name.known("Pragma")

    private static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .cookie
    }
}

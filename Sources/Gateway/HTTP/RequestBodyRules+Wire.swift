import AdapterRuntime
import Authentication
import HTTPServer
import HTTPTypes
import NIOCore

extension RequestBodyRules {
    /// The limits of the settings. A client whose user has logged in is known; everybody else can make a session, and log in
    /// where nobody checks who it is.
    static func wire(_ installation: Installation) -> RequestBodyRules {
        let settings = installation.settings
        let sessions = installation.security.sessions
        var rules = RequestBodyRules(longestBody: settings.longestRequest) { headers, peer in
            if case .session(let session) = sessions.find(SessionCookies(headers).sessionIDs),
                session.standing == .user
            {
                return .known
            }
            let client = ClientAddress.resolve(
                remote: peer?.ipAddress, headers: headers, trusting: settings.trustedProxies)
            let address = IPAddress(client.address).flatMap { $0.isLoopback ? nil : $0 }
            return .unknown(address.map { ClientNetwork($0) })
        } refusal: { path, _, message in
            guard path.hasPrefix("/management/") else {
                return ClientProtocolResponse.failureContent(.unexpected, message)
            }
            return (
                [.contentType: "application/json; charset=utf-8"],
                ByteBuffer(string: ProcedureResult.failure([message]).json)
            )
        }
        rules.maximumBytes = settings.mostBodyBytes
        rules.maximumBytesPerAddress = settings.mostBodyBytesPerAddress
        return rules
    }
}

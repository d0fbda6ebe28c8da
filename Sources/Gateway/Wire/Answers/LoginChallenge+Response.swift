import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes

extension LoginChallenge {
    /// The challenge as clients get it (wire-protocol 6): never as a 401 of the handshake's kind, for clients give up on a
    /// realm there that they do not know.
    func response(under contextRoot: String) -> Response {
        switch self {
        case .page(let html):
            return ClientProtocolResponse.page(html)
        case .written(let answer):
            return ClientProtocolResponse.written(answer)
        case .script(let realm, let json):
            return Handshake.challenge([realm: json])
        case .failure(let realm, let json):
            return Handshake.failure(realm: realm, json)
        case .redirect(let target):
            return ClientProtocolResponse.redirect(to: target, under: contextRoot)
        case .object(let result):
            return ClientProtocolResponse.wrapped(result.json).adding(result.headers)
        case .basic(let realm):
            var response = ClientProtocolResponse.failure(.unexpected, "log in first", status: .unauthorized)
            let quoted = realm.filter { $0 != "\"" && $0 != "\\" }
            response.headers[.wwwAuthenticate] = "Basic realm=\"\(quoted)\", charset=\"UTF-8\""
            return response
        case .bearer(let error):
            var response = ClientProtocolResponse.failure(.unexpected, "log in first", status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer" + (error.map { " error=\"\($0)\"" } ?? "")
            return response
        case .refused(let realm, let reason):
            return Handshake.failure(realm: realm, ["reason": .string(reason)])
        case .tooMany(let error):
            return ClientProtocolResponse.failure(error)
        }
    }
}

import Core
import TestSupport
import WorklightClient

extension LoopbackServer {
    func client(environment: String = "iOSnative") throws -> SDKTestClient {
        try SDKTestClient(
            WorklightSettings(
                host: "127.0.0.1", port: port, context: "/wl", applicationID: "MyNative", environment: environment,
                requestTimeout: .noLimit))
    }
}

extension LoopbackServer.Reply {
    static func json(_ body: String, status: Int = 200, headers: [String] = []) -> Self {
        http(status, "application/json; charset=UTF-8", "/*-secure-\n\(body)*/", headers)
    }

    static func html(_ body: String, status: Int = 200) -> Self {
        http(status, "text/html; charset=UTF-8", body)
    }

    static func http(_ status: Int, _ type: String, _ body: String, _ headers: [String] = []) -> Self {
        .ok(body, type: type, status: "\(status) X", headers: headers.map { $0 + "\r\n" }.joined())
    }

    /// 401 with challenges.
    static func challenge(_ challenges: String) -> Self {
        .json(
            #"{"challenges":\#(challenges)}"#, status: 401, headers: ["WWW-Authenticate: WL-Composite-Challenge"])
    }
}

extension LoopbackServer.Request {
    /// The fields of the form in the body.
    var form: [String: String] {
        Dictionary(FormFields(body).all.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

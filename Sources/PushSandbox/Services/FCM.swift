import Core
import Foundation

/// FCM's HTTP v1 interface.
struct FCM: WebService {
    private static let pathEnd = "/messages:send"

    let name = SandboxService.fcm
    let core: SandboxCore

    func token(of request: WebRequest) -> String? {
        (try? JSONValue(parsing: request.body))?["message"]?["token"]?.string
    }

    var expiredToken: ServiceDecision { SandboxFCMError.unauthenticated.judgement }

    func refusal(status: Int, reason: String) -> WebReply { SandboxFCMError.fcm(reason, status: status).reply }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        do throws(SandboxFCMError) {
            try check(request)
        } catch {
            return error.judgement
        }
        let time = Int(core.settings.now().timeIntervalSince1970 * 1_000_000)
        let id = "projects/\(SandboxIdentity.projectID)/messages/0:\(time)%\(UInt64.random(in: .min ... .max))"
        return ServiceDecision(accepted: .json(200, ["name": .string(id)]), id: id)
    }

    private func check(_ request: WebRequest) throws(SandboxFCMError) {
        let project = request.path.dropFirst("/v1/projects/".count).prefix { $0 != "/" }
        guard request.path == "/v1/projects/\(project)\(Self.pathEnd)", request.method == "POST" else {
            throw SandboxFCMError(
                status: 404, canonical: "NOT_FOUND",
                message: "The sandbox knows POST /v1/projects/ID/messages:send only.", reason: "NOT_FOUND")
        }
        guard let token = request.bearerToken, core.accessTokens.isGood(token, now: core.settings.now()) else {
            throw .unauthenticated
        }
        guard project == SandboxIdentity.projectID else { throw .denied(project: String(project)) }
        guard request.mediaType == "application/json" else {
            throw .invalid("", "Content-Type must be application/json, not '\(request.mediaType)'.")
        }
        let body: JSONValue
        do throws(JSONSyntaxError) {
            body = try JSONValue(parsing: request.body)
        } catch {
            throw .invalid("", "Invalid JSON payload received. \(error)")
        }
        try FCMMessage.check(body)
    }
}

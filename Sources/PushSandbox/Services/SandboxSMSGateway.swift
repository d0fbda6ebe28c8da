import Foundation

/// An SMS gateway: GET with a query, at any path.
///
/// Gateways name their parameters as they like, so the number and the message are found by the usual names.
struct SandboxSMSGateway: WebService {
    private static let numberNames = [
        "to", "phone", "phonenumber", "number", "mobile", "msisdn", "recipient", "dest", "destination",
    ]
    private static let textNames = ["text", "message", "body", "msg", "content", "sms"]

    let name = SandboxService.sms

    func token(of request: WebRequest) -> String? { field(Self.numberNames, of: request) }

    var expiredToken: ServiceDecision { ServiceDecision(.text(401, "ERROR: wrong account\n"), reason: "wrong account") }

    func refusal(status: Int, reason: String) -> WebReply { .text(status, "ERROR: \(reason)\n") }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        guard request.method == "GET" else { return refuse(405, "only GET is taken") }
        guard let number = token(of: request) else {
            let names = Self.numberNames.joined(separator: ", ")
            return refuse(400, "the number is missing; expected one of the parameters \(names)")
        }
        let digits = number.hasPrefix("+") ? number.dropFirst() : number[...]
        guard (3...20).contains(digits.count), digits.allSatisfy({ $0.isASCII && ($0.isNumber || " -()".contains($0)) })
        else { return refuse(400, "'\(number)' is not a telephone number") }
        guard let text = field(Self.textNames, of: request) else {
            let names = Self.textNames.joined(separator: ", ")
            return refuse(400, "the message is missing; expected one of the parameters \(names)")
        }
        let id = UUID().uuidString.lowercased()
        return ServiceDecision(accepted: .text(200, "OK \(id)\n"), id: id, clearText: Array(text.utf8))
    }

    private func field(_ names: [String], of request: WebRequest) -> String? {
        let fields = request.queryFields
        return names.lazy.compactMap { name in fields.first { $0.name.lowercased() == name }?.value }.first
    }

    private func refuse(_ status: Int, _ reason: String) -> ServiceDecision {
        ServiceDecision(refusal(status: status, reason: reason), reason: reason)
    }
}

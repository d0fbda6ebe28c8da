import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import Logging
import NIOCore
import PushModel

/// Responds to gateways of telephone networks (server-api 2.9). Only their address identifies them, so the operator must name it; the original
/// refused all of them until its configuration was changed.
extension ClientProtocolHandler {
    func answer(_ service: PhoneGatewayService, path: String, _ call: IncomingRequest) async -> Response {
        let trusted = installation.settings.phoneGateways
        guard !trusted.isEmpty else {
            return ClientProtocolResponse.failure(
                .notFound, "no gateways are allowed: phoneGateways is not set", status: .notFound)
        }
        guard let address = IPAddress(call.address), trusted.contains(address) else {
            security.log.log(
                "phone gateway", at: .notice, metadata: ["address": "\(call.address)"],
                "\(service.rawValue) was called from an address that is not in phoneGateways")
            return ClientProtocolResponse.failure(.unexpected, "this is for telephone gateways", status: .forbidden)
        }
        switch service {
        case .receiveSMS: return await receiveSMS(call)
        case .subscribeSMS: return await subscribeSMS(call)
        case .ussd: return await ussd(path, call)
        }
    }

    /// Gateways check the status alone, and some send a response's body to the phone.
    private func receiveSMS(_ call: IncomingRequest) async -> Response {
        let handlers = await installation.runtime.handle(
            smsParameters: parameters(call), caller: Caller(request: clientRequest(call)))
        logger.debug("a text message came in: \(handlers) handlers")
        return ClientProtocolResponse.text("")
    }

    private func ussd(_ path: String, _ call: IncomingRequest) async -> Response {
        var headers = JSONObject()
        for field in call.request.headers { headers[field.name.rawName] = .string(field.value) }
        let answer = await installation.runtime.handle(
            ussd: USSDRequest(
                path: path, parameters: parameters(call), headers: headers, body: String(buffer: call.body)),
            caller: Caller(request: clientRequest(call)))
        guard let answer else {
            return ClientProtocolResponse.failure(.notFound, "no adapter handles this request", status: .notFound)
        }
        // A script sets the content type, which could end the header early.
        let type = (try? ResponseHeader.field(name: "Content-Type", value: answer.contentType))?.value
        return ClientProtocolResponse.text(answer.content, type: type ?? "text/plain; charset=UTF-8")
    }

    private func parameters(_ call: IncomingRequest) -> JSONObject {
        var parameters = JSONObject()
        for field in call.fields.all { parameters[field.name] = .string(field.value) }
        return parameters
    }

    // MARK: Subscribing

    /// `option` is `subscribe` unless it says something else; without a `userName` the number is the user.
    private func subscribeSMS(_ call: IncomingRequest) async -> Response {
        let fields = call.fields
        do {
            guard let source = eventSource(named: fields["eventSource"] ?? "") else {
                throw ClientRequestError("eventSource: expected 'Adapter.EventSource'")
            }
            guard installation.runtime.eventSource(source) != nil else { throw installation.runtime.unknown(source) }
            let number = try PhoneNumber(fields["phoneNumber"] ?? "")
            let user = RealmUser(
                id: fields["userName"].flatMap { $0.isEmpty ? nil : $0 } ?? number.dialled, realm: nil)
            let option = (fields["option"] ?? "").filter { !$0.isWhitespace }
            if option.isEmpty || option.lowercased() == "subscribe" {
                guard let application = application(named: fields["appId"] ?? "") else {
                    throw ClientRequestError("appId: expected an application's 'name-environment-version'")
                }
                try await runBlocking {
                    try subscribeSMS(
                        to: source, number: number, user: user, alias: fields["alias"], application: application)
                }
            } else {
                try await runBlocking { try unsubscribeSMS(from: source, number: number, users: [user]) }
            }
            return ClientProtocolResponse.plain(#"{"isSuccessful":true}"#)
        } catch let error as StoreError {
            return storeFailure(error)
        } catch let error as UnknownNameError {
            return ClientProtocolResponse.failure(
                .notFound, told("there is no such \(error.kind)", "\(error)"), status: .notFound)
        } catch {
            return ClientProtocolResponse.failure(.unexpected, "\(error)", status: .badRequest)
        }
    }

    private func eventSource(named text: String) -> EventSourceID? {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        let (adapter, name) = (text[..<dot], text[text.index(after: dot)...])
        return adapter.isEmpty || name.isEmpty ? nil : EventSourceID(adapter: String(adapter), name: String(name))
    }

    /// Splits the name of an application. Its id may contain hyphens, the environment has none.
    private func application(named text: String) -> ClientApplication? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let application = ClientApplication(
            id: parts.dropLast(2).joined(separator: "-"),
            environment: ClientEnvironment(String(parts[parts.count - 2])),
            version: String(parts[parts.count - 1]))
        guard case .admitted = security.policy.admission(of: application) else { return nil }
        return application
    }
}

/// The services for gateways of telephone networks (server-api 2.9).
package enum PhoneGatewayService: String, Sendable, Hashable, CaseIterable {
    /// A text message has come in from a phone.
    case receiveSMS
    /// A phone without an application subscribes to text messages, or unsubscribes.
    case subscribeSMS
    /// A step of a USSD dialogue.
    case ussd
}

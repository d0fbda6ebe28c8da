import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOFoundationCompat
import PushModel

/// Messages without an adapter. What is wrong is told as RFC 9457 has it.
extension Routes {
    func send(_ request: Request) async -> Response {
        let text: String
        do {
            text = String(buffer: try await request.body.collect(upTo: installation.settings.longestRequest))
        } catch {
            return Self.problem("the request's body cannot be read: \(error)", status: .contentTooLarge)
        }
        let body: JSONValue
        do {
            body = try JSONValue(parsing: text)
        } catch {
            return Self.problem("expected JSON: \(error)", status: .badRequest)
        }
        guard body.object != nil else { return Self.problem("expected an object", status: .badRequest) }
        let key = request.headers[HTTPField.Name("Idempotency-Key") ?? .ifMatch]
        return await answerWithProblems(.send(body, idempotencyKey: key), status: .accepted)
    }

    func answerWithProblems(
        _ request: ManagementRequest, status: HTTPResponse.Status = .ok
    ) async -> Response {
        do {
            return Self.json(try await installation.answer(request).body, status: status)
        } catch let error as ManagementError {
            return Self.problem(error.reason, field: error.field, status: .badRequest)
        } catch let error as IdempotencyError {
            return Self.problem("\(error)", status: .unprocessableContent)
        } catch let error as UnknownMessageError {
            return Self.problem("\(error)", status: .notFound)
        } catch let error as StoreError {
            installation.logger.error("\(error)")
            return Self.problem("\(error)", status: .serviceUnavailable)
        } catch {
            return Self.problem("\(error)", status: .internalServerError)
        }
    }

    /// - Parameter field: what of the request is not as it must be.
    private static func problem(
        _ detail: String, field: String? = nil, status: HTTPResponse.Status
    ) -> Response {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(status.reasonPhrase), "status": .number(Double(status.code)),
            "detail": .string(detail),
        ]
        object["field"] = field.map(JSONValue.string)
        var response = json(JSONValue.object(object).text, status: status)
        response.headers[.contentType] = "application/problem+json"
        return response
    }
}

import Core
import Foundation
import HTTPTransfer
import NIOCore
import NIOHTTP1

/// The response of an OAuth 2.0 token endpoint (RFC 6749, 5.1 and 5.2).
enum TokenAnswer {
    /// The lifetime of a token if the endpoint names none, in seconds.
    private static let usualLifetime = 3600.0

    /// - Parameters:
    ///   - service: the name of the service that the tokens are for, in messages.
    ///   - advice: what to do when the credential is refused.
    ///   - secrets: see ``ServiceReasonText``.
    static func grant(
        _ answer: ServiceAnswer, service: String, advice: String, hiding secrets: [String], now: Date
    ) throws(VerdictError) -> AccessTokenCache.Grant {
        let json = try? JSONValue(parsing: answer.body.readableBytesView)
        if answer.isSuccess {
            guard let token = json?["access_token"]?.string, isHeaderSafe(token) else {
                throw failure(
                    .retry("\(service)'s token endpoint returned status \(answer.status) without an access_token"))
            }
            // Microsoft has been seen to write the number as a string.
            let seconds = json?["expires_in"].flatMap { $0.number ?? $0.string.flatMap(Double.init) } ?? usualLifetime
            guard seconds >= 1 else {
                throw failure(.retry("\(service)'s token endpoint granted a token that has ended already"))
            }
            return AccessTokenCache.Grant(token: token, lifetime: .seconds(min(seconds, 86400)))
        }
        let hidden = secrets.map { (text: $0, substitute: "…") }
        let said = [json?["error"]?.string, json?["error_description"]?.string].compactMap(\.self)
        let words = ServiceReasonText(said.isEmpty ? answer.text : said.joined(separator: ": "), hiding: hidden)
        let reason =
            "\(service)'s token endpoint returned status \(answer.status)"
            + (words.description.isEmpty ? "" : ": \(words)")
        let wait = RetryAfter.wait(answer.headers.first(name: "Retry-After"), now: now)
        switch answer.status {
        case 408, 429, 500...: throw failure(.retry(after: wait, reason))
        case 400..<500: throw failure(.credentialRefused("\(reason); \(advice)"))
        default: throw failure(.retry(reason))
        }
    }

    private static func failure(_ verdict: ServiceVerdict) -> VerdictError {
        VerdictError(verdict: verdict)
    }

    /// Returns true if a token can be sent in a header, without characters that end it.
    private static func isHeaderSafe(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension TransferRequest {
    /// A POST of a form, as token endpoints take it (RFC 6749, 4).
    static func form(to url: String, _ fields: [(String, String)]) -> Self {
        Self(
            "POST", url: url, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(FormFields.encode(fields).utf8))
    }
}

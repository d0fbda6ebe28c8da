import Foundation
import HTTPTransfer

/// Fetches a provider's documents.
struct ProviderFetcher: Sendable {
    struct Document: Sendable {
        let body: Data
        /// `max-age` of the answer's `Cache-Control`.
        let maxAge: Duration?
    }

    static let sizeLimit = 1 << 20

    let client: TransferClient
    /// For one whole document.
    let timeout: Duration

    /// - Throws: ``ProviderError``.
    func fetch(_ url: URL) async throws(ProviderError) -> Document {
        let request = TransferRequest(
            url: url.absoluteString, headers: [("Accept", "application/json")], timeout: timeout,
            maximumSize: Self.sizeLimit)
        let answer: TransferAnswer
        do {
            answer = try await client.send(request)
        } catch {
            switch error.kind {
            case .tooLarge: throw .answer("\(url) sends more than \(Self.sizeLimit) bytes")
            case .timedOut, .noConnectionInTime: throw .unreachable("\(url) took longer than \(timeout)")
            default: throw .unreachable("\(url): \(error.text)")
            }
        }
        guard answer.status == 200 else {
            throw .answer("\(url) answers with status \(answer.status); expected: 200")
        }
        let directives = answer.head.headers.filter { $0.name.lowercased() == "cache-control" }
            .flatMap { $0.value.split(separator: ",").map(String.init) }
        return Document(body: Data(answer.body), maxAge: Self.maxAge(directives))
    }

    /// RFC 9111, 5.2.2.1.
    static func maxAge(_ directives: [String]) -> Duration? {
        for directive in directives {
            let halves = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, halves[0].lowercased() == "max-age" else { continue }
            return UInt32(halves[1].trimmingCharacters(in: ["\""])).map { .seconds(Int($0)) }
        }
        return nil
    }
}

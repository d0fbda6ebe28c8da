import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Fetches a provider's documents.
struct ProviderFetcher: Sendable {
    struct Document: Sendable {
        let body: Data
        /// `max-age` of the answer's `Cache-Control`.
        let maxAge: Duration?
    }

    static let sizeLimit = 1 << 20

    let client: HTTPClient
    /// For one whole document.
    let timeout: Duration

    /// - Throws: ``ProviderError``.
    func fetch(_ url: URL) async throws(ProviderError) -> Document {
        do {
            return try await withThrowingTaskGroup(of: Document.self) { group in
                group.addTask { try await load(url) }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw ProviderError.unreachable("\(url) took longer than \(timeout)")
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
        } catch let error as ProviderError {
            throw error
        } catch let error as HTTPClientError {
            throw .unreachable("\(url): \(error.shortDescription)")
        } catch {
            throw .unreachable("\(url): \(error)")
        }
    }

    private func load(_ url: URL) async throws -> Document {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, deadline: .distantFuture)
        guard response.status == .ok else {
            throw ProviderError.answer("\(url) answers with status \(response.status.code); expected: 200")
        }
        var body = Data()
        for try await part in response.body {
            guard body.count + part.readableBytes <= Self.sizeLimit else {
                throw ProviderError.answer("\(url) sends more than \(Self.sizeLimit) bytes")
            }
            body.append(contentsOf: part.readableBytesView)
        }
        return Document(
            body: body, maxAge: Self.maxAge(response.headers[canonicalForm: "Cache-Control"].map(String.init)))
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

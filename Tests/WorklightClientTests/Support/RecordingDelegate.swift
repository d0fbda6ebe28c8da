import Dispatch
import Foundation
import TestSupport
import Testing
import WorklightClient

/// A call of a delegate. The objects go from the callback queue to the test, which only reads them.
enum Outcome: @unchecked Sendable {
    case success(WLResponse)
    case failed(WLFailResponse)

    func response() throws -> WLResponse {
        switch self {
        case .success(let response): return response
        case .failed(let response):
            Issue.record("failed: \(response)")
            throw UnexpectedOutcomeError()
        }
    }

    func failure() throws -> WLFailResponse {
        switch self {
        case .failed(let response): return response
        case .success(let response):
            Issue.record("succeeded: \(response)")
            throw UnexpectedOutcomeError()
        }
    }

    struct UnexpectedOutcomeError: Error {}
}

/// A delegate that keeps its calls, and on which queue they came.
final class RecordingDelegate: NSObject, WLDelegate, Sendable {
    let outcomes = AwaitableValue<[Outcome]>([])
    let wasOnQueue = AwaitableValue<[Bool]>([])

    func onSuccess(_ response: WLResponse!) { take(.success(response)) }
    func onFailure(_ response: WLFailResponse!) { take(.failed(response)) }

    private func take(_ outcome: Outcome) {
        wasOnQueue.update { $0.append(DispatchQueue.getSpecific(key: SDKTestClient.key) ?? false) }
        outcomes.update { $0.append(outcome) }
    }

    func outcome() async throws -> Outcome {
        try await outcomes.wait { !$0.isEmpty }
        return try #require(outcomes.value.first)
    }
}

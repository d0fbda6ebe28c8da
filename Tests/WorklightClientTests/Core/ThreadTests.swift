import Dispatch
import TestSupport
import Testing
import WorklightClient

@Suite("Threads", .defaultTimeLimit)
struct ThreadTests {
    @Test("Calls may come from many threads at once, and each delegate is called once")
    func many() async throws {
        try await TestServer.run(.form) { server in
            let test = try server.client()
            let client = test.client
            client.registerChallengeHandler(FormChallengeHandler())
            try await test.connect()
            // From its first change on, the session has its own scope, and its calls run one after the other.
            let count = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count")
            let first = RecordingDelegate()
            client.invokeProcedure(count, with: first)
            _ = try await first.outcome()
            let delegates = (0..<40).map { _ in RecordingDelegate() }
            DispatchQueue.concurrentPerform(iterations: delegates.count) { index in
                client.addGlobalHeader("X-\(index)", headerValue: "1")
                client.registerChallengeHandler(AdapterChallengeHandler())
                let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count")
                client.invokeProcedure(data, with: delegates[index])
                client.removeGlobalHeader("X-\(index)")
                client.push.setTokenFromClient("<\(index) \(index)>")
                _ = client.isSubscribed(toAdapter: "A", eventSource: "E")
            }
            var counts: [Int] = []
            for delegate in delegates {
                let result = try await delegate.outcome().response().invocationResult.response
                counts.append(result?["calls"] as? Int ?? 0)
            }
            await withCheckedContinuation { continuation in test.queue.async { continuation.resume() } }
            #expect(counts.sorted() == Array(2...41))
            #expect(delegates.allSatisfy { $0.outcomes.value.count == 1 && $0.wasOnQueue.value == [true] })
        }
    }

    @Test("A queue that is set later is where delegates are called from then on")
    func queue() async throws {
        try await TestServer.run { server in
            let test = try server.client()
            try await test.connect()
            test.client.callbackQueue = DispatchQueue(label: "another")
            let delegate = RecordingDelegate()
            let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count")
            test.client.invokeProcedure(data, with: delegate)
            _ = try await delegate.outcome()
            #expect(delegate.wasOnQueue.value == [false])
        }
    }
}

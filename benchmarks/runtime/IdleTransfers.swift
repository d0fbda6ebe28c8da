import BackEndHTTP
import Core
import Foundation
import WorklightProject

/// Requests that wait for their back end at once, without any script: memory that calls which wait have in common with them.
enum IdleTransfers {
    /// - Parameter port: of a back end that responds once `count` requests have arrived.
    static func measure(port: Int, count: Int) async throws {
        var policy = HTTPConnectionPolicy()
        (policy.domain, policy.port, policy.maxConcurrentConnections) = ("127.0.0.1", port, count)
        (policy.connectionTimeout, policy.socketTimeout) = (60_000, 60_000)
        let backEnd = try HTTPBackEnd(policy: policy)
        Thread { while true { TransferLoop.shared.poll(upTo: 1000) } }.start()
        let before = residentSize()
        var answered = 0
        var largest = 0
        await withTaskGroup(of: (isAnswered: Bool, memory: Int).self) { group in
            for _ in 0..<count { group.addTask { await ask(backEnd, "/hold?count=\(count)&number=1") } }
            for await (isAnswered, memory) in group {
                if isAnswered { answered += 1 }
                largest = max(largest, memory)
            }
        }
        print(
            "\(answered) of \(count) requests answered that waited at once: \((largest - before) >> 20) MB more than before"
        )
        backEnd.close()
    }

    private static func ask(_ backEnd: HTTPBackEnd, _ path: String) async -> (isAnswered: Bool, memory: Int) {
        guard let request = try? BackEndRequest(method: "get", path: path) else { return (false, 0) }
        return await withCheckedContinuation { continuation in
            let options = BackEndExchange.Options(cookies: CookieJar(), deadline: .seconds(120))
            backEnd.begin(request, options) {
                let isAnswered = if case .response = backEnd.convert($0) { true } else { false }
                continuation.resume(returning: (isAnswered, residentSize()))
            }
        }
    }
}

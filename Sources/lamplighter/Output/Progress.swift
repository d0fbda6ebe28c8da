import Foundation

/// Tells a person who waits for what and for how long: after a second, on a terminal, in a line that wipes itself.
///
/// In pipes and files, and with `--json`, there is nothing of it.
///
/// - Parameter what: what is waited for, such as `calling PushAdapter/run`.
func withProgress<Result>(
    _ what: String, _ body: () async throws -> Result
) async rethrows -> Result {
    guard StandardError.isTerminal, !CommandOutput.isJSON else { return try await body() }
    let ticker = Task {
        var seconds = 0
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            seconds += 1
            StandardError.show("… \(what), \(elapsed(seconds))")
        }
        StandardError.show(nil)
    }
    do {
        let result = try await body()
        ticker.cancel()
        await ticker.value
        return result
    } catch {
        ticker.cancel()
        await ticker.value
        throw error
    }
}

/// `7 s`, `2 min 5 s`.
private func elapsed(_ seconds: Int) -> String {
    seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
}

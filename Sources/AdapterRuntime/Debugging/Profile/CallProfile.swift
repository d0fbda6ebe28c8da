import Foundation
public import JavaScriptEngine

/// Where a procedure's calls spent their time.
public struct CallProfile: Sendable, Hashable {
    /// A function, where it is written.
    public struct Function: Sendable, Hashable {
        public let name: String
        /// The beginning of the function; `nil` for a native one.
        public let location: ScriptLocation?

        /// `name  file:line`.
        public var text: String { name + (location.map { "  \($0.file):\($0.line)" } ?? "  (native)") }
    }

    struct Frame: Hashable {
        let function: Function
        /// The line in which it was.
        let line: Int?
    }

    struct Sample: Hashable {
        let time: Double
        /// Innermost first.
        let frames: [Frame]
    }

    /// One of the functions that were seen.
    public struct Share: Sendable, Hashable {
        public let function: Function
        /// In how many of a hundred samples it was the innermost.
        public let own: Double
        /// In how many of a hundred samples it ran, or something that it had called.
        public let total: Double
    }

    /// How many calls were made.
    public let calls: Int
    /// How often the profiler means to look, in seconds.
    public let interval: Double
    let samples: [Sample]

    public var sampleCount: Int { samples.count }

    /// Below that chance decides.
    public static let fewestSamples = 100

    /// The functions in which most time was spent, hottest first.
    public func hottest(_ count: Int = 10) -> [Share] {
        var own: [Function: Int] = [:]
        var total: [Function: Int] = [:]
        for sample in samples {
            if let first = sample.frames.first { own[first.function, default: 0] += 1 }
            for function in Set(sample.frames.map(\.function)) { total[function, default: 0] += 1 }
        }
        let unit = 100 / Double(max(1, samples.count))
        let shares = total.map { Share(function: $0, own: Double(own[$0] ?? 0) * unit, total: Double($1) * unit) }
        return Array(
            shares.sorted { ($0.own, $0.total, $1.function.text) > ($1.own, $1.total, $0.function.text) }.prefix(count))
    }

    /// The hottest functions for people.
    public var summary: String {
        guard !samples.isEmpty else { return "no samples" }
        let lines = hottest().map { share in
            String(format: "%5.1f%% %5.1f%%  ", share.own, share.total) + share.function.text
        }
        return (["  self  total  function"] + lines).joined(separator: "\n")
    }
}

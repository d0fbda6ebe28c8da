import CJavaScriptCore
import Foundation

extension ScriptContext {
    /// Runs `body` under the engine's sampling profiler, which looks at the whole virtual machine from a thread of its own.
    ///
    /// Time in native functions counts, waiting included: the sample then has the function that called them innermost, or a
    /// native frame.
    ///
    /// - Throws: ``ProfilingError`` when the library has no profiler, and what `body` throws.
    public func profile<Result>(_ body: () throws -> Result) throws -> (result: Result, profile: ScriptProfile) {
        guard lamplighterCanProfile() else {
            throw ProfilingError(description: "the installed JavaScriptCore exports no sampling profiler")
        }
        guard JSContextGroupEnableSamplingProfiler(engine.group) else {
            throw ProfilingError(description: "the installed JavaScriptCore was built without its sampling profiler")
        }
        defer { JSContextGroupDisableSamplingProfiler(engine.group) }
        // What an earlier profile has left.
        JSContextGroupTakeSamplesFromSamplingProfiler(engine.group).map(JSStringRelease)
        let result = try body()
        guard let text = JSContextGroupTakeSamplesFromSamplingProfiler(engine.group).map(JSText.take) else {
            throw ProfilingError(description: "JavaScriptCore's sampling profiler gave no samples")
        }
        do {
            return (result, try ScriptProfile(json: text))
        } catch {
            throw ProfilingError(
                description: "the samples of JavaScriptCore's profiler are not in the form of version 2.50: \(error)")
        }
    }
}

/// What the engine writes.
private struct Samples: Decodable {
    struct Trace: Decodable {
        let timestamp: Double
        let frames: [Frame]
    }

    struct Frame: Decodable {
        let sourceID: UInt64
        let name: String
        let line: UInt64
        let column: UInt64
    }

    struct Source: Decodable {
        let sourceID: UInt64
        /// Missing where a script has no name.
        let url: String?
    }

    let interval: Double
    let traces: [Trace]
    let sources: [Source]
}

extension ScriptProfile {
    fileprivate init(json: String) throws {
        let samples = try JSONDecoder().decode(Samples.self, from: Data(json.utf8))
        let files = Dictionary(
            samples.sources.map { ($0.sourceID, $0.url ?? "") }, uniquingKeysWith: { first, _ in first })
        self.init(
            interval: samples.interval,
            samples: samples.traces.map { trace in
                Sample(
                    time: trace.timestamp,
                    frames: trace.frames.map { frame in
                        // Native frames have the largest number for all three.
                        var location: ScriptLocation?
                        if let file = files[frame.sourceID], !file.isEmpty, frame.line < UInt32.max {
                            let column = frame.column < UInt32.max ? Int(frame.column) : nil
                            location = ScriptLocation(file: file, line: Int(frame.line), column: column)
                        }
                        return Frame(name: frame.name, location: location)
                    })
            })
    }
}

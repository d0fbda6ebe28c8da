import Foundation
import JavaScriptEngine

/// The form of Chrome's `.cpuprofile` files.
private struct ProfileFile: Encodable {
    struct CallFrame: Encodable {
        let functionName: String
        let scriptId: String
        let url: String
        /// Counted from 0, -1 for none; so is the column.
        let lineNumber: Int
        let columnNumber: Int
    }

    struct PositionTick: Encodable {
        /// Counted from 1.
        let line: Int
        let ticks: Int
    }

    struct Node: Encodable {
        let id: Int
        let callFrame: CallFrame
        let hitCount: Int
        let children: [Int]
        let positionTicks: [PositionTick]
    }

    let nodes: [Node]
    /// In microseconds.
    let startTime: Int
    let endTime: Int
    /// Ids of nodes.
    let samples: [Int]
    /// Microseconds since the sample before, or the start.
    let timeDeltas: [Int]
}

extension CallProfile {
    /// The profile as Chrome's developer tools, VS Code and speedscope read it: a `.cpuprofile` file.
    public var cpuProfile: String {
        var tree = CallTree()
        var nodes: [Int] = []
        var deltas: [Int] = []
        let start = (samples.first?.time ?? 0) - interval
        var last = start
        for sample in samples {
            nodes.append(tree.add(sample))
            deltas.append(max(0, Int(((sample.time - last) * 1_000_000).rounded())))
            last = sample.time
        }
        let file = ProfileFile(
            nodes: tree.nodes, startTime: Int(start * 1_000_000), endTime: Int(last * 1_000_000), samples: nodes,
            timeDeltas: deltas)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: (try? encoder.encode(file)) ?? Data(), as: UTF8.self)
    }
}

/// Samples put together by what they have in common, outermost first.
private struct CallTree {
    private struct Entry {
        let frame: ProfileFile.CallFrame
        var children: [CallProfile.Function: Int] = [:]
        var order: [Int] = []
        var hits = 0
        var lines: [Int: Int] = [:]
    }

    private var entries = [
        Entry(frame: .init(functionName: "(root)", scriptId: "0", url: "", lineNumber: -1, columnNumber: -1))
    ]
    private var scripts: [String: Int] = [:]

    /// - Returns: the id of the node in which the sample ends.
    mutating func add(_ sample: CallProfile.Sample) -> Int {
        var current = 0
        for frame in sample.frames.reversed() { current = child(frame.function, of: current) }
        entries[current].hits += 1
        if let line = sample.frames.first?.line { entries[current].lines[line, default: 0] += 1 }
        return current + 1
    }

    private mutating func child(_ function: CallProfile.Function, of parent: Int) -> Int {
        if let known = entries[parent].children[function] { return known }
        let file = function.location?.file ?? ""
        let script = scripts[file] ?? (file.isEmpty ? 0 : scripts.count + 1)
        if !file.isEmpty { scripts[file] = script }
        entries.append(
            Entry(
                frame: .init(
                    functionName: function.name, scriptId: "\(script)", url: file,
                    lineNumber: (function.location?.line ?? 0) - 1, columnNumber: (function.location?.column ?? 0) - 1))
        )
        let new = entries.count - 1
        entries[parent].children[function] = new
        entries[parent].order.append(new)
        return new
    }

    var nodes: [ProfileFile.Node] {
        entries.enumerated().map { index, entry in
            ProfileFile.Node(
                id: index + 1, callFrame: entry.frame, hitCount: entry.hits, children: entry.order.map { $0 + 1 },
                positionTicks: entry.lines.sorted { $0.key < $1.key }.map { .init(line: $0.key, ticks: $0.value) })
        }
    }
}

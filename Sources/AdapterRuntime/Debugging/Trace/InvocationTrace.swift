import Foundation

/// The record of one call, as a tree: the procedure, the functions of the script that ran in it, and the bindings that these
/// called.
public struct InvocationTrace: Sendable, Hashable, Codable {
    public struct Node: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable {
            /// The loading of an adapter's script.
            case loading
            /// A procedure, called by a client, a script or a back end.
            case procedure
            /// A poll, a callback of an event source, or an event handler.
            case callback
            /// A function of the script's own.
            case function
            /// A native function that scripts call.
            case binding
        }

        public let kind: Kind
        /// Such as `A/getPrices`, `helper`, `WL.Server.invokeHttp`.
        public let name: String
        /// A short form of its arguments; `nil` if they may be a secret.
        public let arguments: String?
        /// A short form of its result; `nil` for `undefined`, and if the result may be a secret.
        public let result: String?
        /// The position, as `file:line:column`: for a function, its declaration; for a binding, the call.
        public let place: String?
        /// The time it began, since the trace began.
        public let start: Double
        /// The duration, in milliseconds.
        public let milliseconds: Double
        /// The exception it threw, with position and JavaScript stack.
        public let exception: String?
        public let children: [Node]
    }

    /// The calls, in order: scripts that had to be loaded come before the procedure.
    public let nodes: [Node]
    /// The number of calls that are not in the tree, since there were too many.
    public let omitted: Int
    /// The reasons why functions of a script are missing from the tree, if any are.
    public let remarks: [String]

    /// The duration of the whole trace, in milliseconds.
    public var milliseconds: Double { nodes.reduce(0) { $0 + $1.milliseconds } }

    /// The trace as JSON. Names and meanings of the members are those of the properties here.
    ///
    /// If the calls cannot be written, a trace without them that says so in ``remarks``.
    public var json: String {
        do {
            return try encoded()
        } catch {
            let remark = "the calls cannot be written as JSON: \(error)"
            let rest = InvocationTrace(nodes: [], omitted: omitted, remarks: remarks + [remark])
            // Only strings and a number are left.
            return (try? rest.encoded())
                ?? #"{"nodes":[],"omitted":0,"remarks":["the trace cannot be written as JSON"]}"#
        }
    }

    private func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// - Throws: `DecodingError`.
    public init(json: String) throws {
        self = try JSONDecoder().decode(InvocationTrace.self, from: Data(json.utf8))
    }

    init(nodes: [Node], omitted: Int, remarks: [String]) {
        self.nodes = nodes
        self.omitted = omitted
        self.remarks = remarks
    }
}

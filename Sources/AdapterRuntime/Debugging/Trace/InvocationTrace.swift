import Foundation

/// What one call did, as a tree: the procedure, the functions of the script that ran in it, and what these asked of the
/// bindings.
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
            /// A function that the server gives to scripts.
            case binding
        }

        public let kind: Kind
        /// Such as `A/getPrices`, `helper`, `WL.Server.invokeHttp`.
        public let name: String
        /// A short text of what it was given; `nil` where it may be a secret.
        public let arguments: String?
        /// A short text of its result; `nil` for `undefined`, and where the result may be a secret.
        public let result: String?
        /// Of a function, where it is written; of a binding, from where it was called: `file:line:column`.
        public let place: String?
        /// When it began, since the trace began.
        public let start: Double
        /// How long it took, in milliseconds.
        public let milliseconds: Double
        /// What it threw, with place and JavaScript stack.
        public let exception: String?
        public let children: [Node]
    }

    /// What was done, in order: scripts that had to be loaded come before the procedure.
    public let nodes: [Node]
    /// How many calls are not in the tree, since there were too many.
    public let omitted: Int
    /// Why functions of a script are not in the tree, if they are not.
    public let remarks: [String]

    /// How long all of it took, in milliseconds.
    public var milliseconds: Double { nodes.reduce(0) { $0 + $1.milliseconds } }

    /// As JSON. Names and meanings of the members are those of the properties here.
    ///
    /// Should the calls not be writable, a trace without them that says so in ``remarks``.
    public var json: String {
        do {
            return try encoded()
        } catch {
            let remark = "the calls cannot be written as JSON: \(error)"
            let rest = InvocationTrace(nodes: [], omitted: omitted, remarks: remarks + [remark])
            // Nothing but texts and a number is left.
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

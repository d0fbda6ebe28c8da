import AdapterSyntax

/// The files of an adapter that a test writes as a script alone: the script, and a descriptor made for it.
///
/// ```swift
/// let prices = AdapterText(name: "Prices", script: "function find() { return { price: 40 }; }")
/// let orders = AdapterText(name: "Orders", script: "function list() { return []; }", connection: .sql)
/// let harness = try await AdapterHarness(files: prices.files.merging(orders.files) { $1 })
/// ```
public struct AdapterText: Sendable {
    /// The kind of back end that the descriptor names.
    public enum Connection: Sendable, Hashable {
        /// The address `http://back-end.test`, which the harness replaces with a stub.
        case http
        /// A database, which the harness replaces with one in memory.
        case sql
    }

    /// The adapter's name.
    public let name: String
    /// The JavaScript of the adapter.
    public let script: String
    /// The functions that are procedures, which clients may call; all functions at the top level when `nil`.
    public let procedures: [String]?
    public let connection: Connection

    public init(name: String, script: String, procedures: [String]? = nil, connection: Connection = .http) {
        self.name = name
        self.script = script
        self.procedures = procedures
        self.connection = connection
    }

    /// The contents of the adapter's files, keyed by their paths in a project.
    public var files: [String: String] {
        let stem = "adapters/\(name)/\(name)"
        return ["\(stem).xml": descriptor, "\(stem)-impl.js": script]
    }

    private var descriptor: String {
        let declared = (procedures ?? functions).map { "    <procedure name=\"\($0)\"/>\n" }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <wl:adapter name="\(name)" xmlns:wl="http://www.worklight.com/integration"
                xmlns:http="http://www.worklight.com/integration/http"
                xmlns:sql="http://www.worklight.com/integration/sql"
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
                <connectivity>
                    \(connectionPolicy)
                </connectivity>
            \(declared)</wl:adapter>
            """
    }

    private var connectionPolicy: String {
        switch connection {
        case .http:
            """
            <connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
                        <protocol>http</protocol>
                        <domain>back-end.test</domain>
                        <port>80</port>
                    </connectionPolicy>
            """
        case .sql:
            """
            <connectionPolicy xsi:type="sql:SQLConnectionPolicy">
                        <dataSourceDefinition>
                            <driverClass>org.sqlite.JDBC</driverClass>
                            <url>jdbc:sqlite::memory:</url>
                        </dataSourceDefinition>
                    </connectionPolicy>
            """
        }
    }

    /// The functions at the top level; none when the script cannot be parsed, which its loading reports.
    private var functions: [String] {
        guard let tree = try? SyntaxTree(script, file: "\(name)-impl.js") else { return [] }
        return ScriptFacts(tree).globalFunctionNames.sorted()
    }
}

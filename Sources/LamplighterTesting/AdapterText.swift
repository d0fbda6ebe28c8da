import AdapterSyntax

/// An adapter given as a text, with the descriptor that it needs.
public struct AdapterText: Sendable {
    /// The kind of back end that its descriptor names.
    public enum Connection: Sendable, Hashable {
        /// `http://back-end.test`, which a stub answers for.
        case http
        /// A database, replaced by one in memory.
        case sql
    }

    public let name: String
    public let script: String
    /// Which functions may be called from outside; all at the top level when `nil`.
    public let procedures: [String]?
    public let connection: Connection

    public init(name: String, script: String, procedures: [String]? = nil, connection: Connection = .http) {
        self.name = name
        self.script = script
        self.procedures = procedures
        self.connection = connection
    }

    /// Its files, by their paths in a project.
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

    /// The functions of the top level; none when the script cannot be parsed, which loading it reports.
    private var functions: [String] {
        guard let tree = try? SyntaxTree(script, file: "\(name)-impl.js") else { return [] }
        return ScriptFacts(tree).globalFunctionNames.sorted()
    }
}

import Databases
import TestSupport
import WorklightProject

extension PostgreSQLServer {
    static func source() throws -> SQLDataSource {
        let server = try shared()
        return try SQLDataSource(
            definition: SQLDataSourceDefinition(
                url: "jdbc:postgresql://127.0.0.1:\(server.port)/postgres", user: user, password: password),
            maxConcurrentConnections: 4, adapter: "login", folder: server.folder)
    }
}

/// An ODBC connection string, made from a JDBC URL's parts.
struct ODBCConnectionString {
    /// With the password: not for messages.
    private(set) var text = ""

    init(_ database: ODBCDatabase, _ address: DatabaseServerAddress, driver: String) {
        add("DRIVER", driver)
        let host = address.host
        let port = String(host.port ?? database.defaultPort)
        switch database {
        case .mySQL:
            add("SERVER", host.name)
            add("PORT", port)
            add("DATABASE", address.database)
            add("CHARSET", "utf8mb4")
            addMySQLEncryption(address.settings)
        case .db2, .derby:
            add("HOSTNAME", host.name)
            add("PORT", port)
            add("DATABASE", address.database)
            add("PROTOCOL", "TCPIP")
            if address.settings["sslconnection"] == "true" { add("SECURITY", "SSL") }
            add("CURRENTSCHEMA", address.settings["currentschema"])
        case .oracle:
            add("DBQ", Self.oracleName(address, host: host.name, port: port))
        case .sqlServer:
            addSQLServer(address, driver: driver)
        }
        add("UID", address.user)
        add("PWD", address.password)
    }

    private mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        text += "\(key)={\(value.replacing("}", with: "}}"))};"
    }

    private mutating func addMySQLEncryption(_ settings: [String: String]) {
        let mode = settings["sslmode"]?.lowercased().replacing("_", with: "-")
        let isOn = settings["usessl"] == "true" || settings["requiressl"] == "true"
        if isOn || mode == "required" || mode == "trust" || mode == "verify-ca" { add("FORCETLS", "1") }
        if settings["verifyservercertificate"] == "true" || mode == "verify-identity" || mode == "verify-full" {
            add("FORCETLS", "1")
            add("SSLVERIFY", "1")
        }
    }

    private mutating func addSQLServer(_ address: DatabaseServerAddress, driver: String) {
        let host = address.host
        let settings = address.settings
        let instance = settings["instance"].map { "\\" + $0 } ?? ""
        let isFreeTDS = driver.lowercased().hasPrefix("freetds")
        // An instance's port is asked from the server, unless the URL has one.
        let port = host.port ?? (instance.isEmpty ? ODBCDatabase.sqlServer.defaultPort : nil)
        if isFreeTDS {
            add("SERVER", host.name + (host.port == nil ? instance : ""))
            add("PORT", port.map(String.init))
            add("TDS_Version", "7.4")
            add("ClientCharset", "UTF-8")
        } else {
            add("SERVER", host.name + (port.map { ",\($0)" } ?? instance))
            // Microsoft's driver 18 encrypts by default; the JDBC drivers of the time did not.
            add("Encrypt", settings["encrypt"] == "true" ? "yes" : "no")
            add("TrustServerCertificate", settings["trustservercertificate"] == "true" ? "yes" : nil)
            if settings["integratedsecurity"] == "true" { add("Trusted_Connection", "yes") }
        }
        add("DATABASE", address.database)
        add("APP", settings["applicationname"])
    }

    private static func oracleName(_ address: DatabaseServerAddress, host: String, port: String) -> String {
        if let descriptor = address.settings["descriptor"] { return descriptor }
        if let sid = address.settings["sid"] {
            return "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=\(host))(PORT=\(port)))(CONNECT_DATA=(SID=\(sid))))"
        }
        return "//\(host):\(port)/\(address.database ?? "")"
    }
}

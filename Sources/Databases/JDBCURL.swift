import Foundation
import WorklightProject

/// Reads JDBC URLs, whose form each driver defines for itself.
struct JDBCURL {
    let definition: SQLDataSourceDefinition

    init(_ definition: SQLDataSourceDefinition) {
        self.definition = definition
    }

    /// `//host[:port][,host[:port]…]/database[?key=value&…]`, or only `database`.
    func postgreSQL(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:postgresql://host:port/database"
        let (location, settings) = split(rest, at: "?", between: "&", decoding: true)
        guard location.hasPrefix("//") else {
            let database = location.drop { $0 == "/" }
            return address([.init(name: "localhost")], database, settings)
        }
        let (hosts, path) = try hostsAndPath(location.dropFirst(2), form)
        return address(hosts, path, settings, decoding: true)
    }

    /// `//host[:port][,…]/database[?key=value&…]`
    func mySQL(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:mysql://host:port/database"
        let (location, settings) = split(rest, at: "?", between: "&", decoding: true)
        guard let start = location.range(of: "//") else { throw problem(form) }
        let (hosts, path) = try hostsAndPath(location[start.upperBound...], form)
        return address(hosts, path, settings, decoding: true)
    }

    /// `//host[:port]/database[:key=value;…]`
    func db2(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:db2://host:port/database"
        guard rest.hasPrefix("//"), let slash = rest.dropFirst(2).firstIndex(of: "/") else { throw problem(form) }
        let (database, settings) = split(rest[rest.index(after: slash)...], at: ":", between: ";")
        guard !database.isEmpty else { throw problem(form) }
        return address([try host(rest[..<slash].dropFirst(2), form)], database, settings)
    }

    /// `//host[:port]/database[;key=value;…]`
    func derby(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:derby://host:port/database of a Derby network server (an embedded Derby needs Java)"
        let (location, settings) = split(rest, at: ";", between: ";")
        guard location.hasPrefix("//") else { throw problem(form) }
        let (hosts, path) = try hostsAndPath(location.dropFirst(2), form)
        guard !path.isEmpty else { throw problem(form) }
        return address(hosts, path, settings)
    }

    /// `thin:[user/password]@host:port:sid` or `thin:[user/password]@[//]host[:port]/service`
    func oracle(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:oracle:thin:@host:port:sid or jdbc:oracle:thin:@//host:port/service"
        guard rest.lowercased().hasPrefix("thin:"), let at = rest.lastIndex(of: "@") else { throw problem(form) }
        let login = rest[..<at].dropFirst("thin:".count).split(separator: "/", maxSplits: 1)
        let place = rest[rest.index(after: at)...]
        var result: DatabaseServerAddress
        if place.hasPrefix("(") {
            result = address([.init(name: "the TNS description")], "", ["descriptor": String(place)])
        } else if place.contains("/") {
            let (hosts, service) = try hostsAndPath(place.hasPrefix("//") ? place.dropFirst(2) : place, form)
            guard !service.isEmpty else { throw problem(form) }
            result = address(hosts, service.prefix { $0 != "?" }, [:])
        } else {
            let parts = place.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[0].isEmpty, !parts[2].isEmpty else { throw problem(form) }
            result = address([try host(place[..<parts[1].endIndex], form)], "", ["sid": String(parts[2])])
        }
        if login.count == 2 {
            result.user = result.user ?? String(login[0])
            result.password = result.password ?? String(login[1])
        }
        return result
    }

    /// `//host[\instance][:port][;databaseName=…;user=…;password=…]`
    func sqlServer(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:sqlserver://host:port;databaseName=database"
        let (location, settings) = split(rest, at: ";", between: ";")
        guard location.hasPrefix("//") else { throw problem(form) }
        let (place, instance) = withInstance(location.dropFirst(2))
        let name = place.isEmpty ? settings["servername"] ?? settings["server"] : nil
        var result = address(
            [try host(name.map { Substring($0) } ?? place, form)],
            Substring(settings["databasename"] ?? settings["database"] ?? ""), settings)
        result.settings["instance"] = instance ?? settings["instancename"]
        return result
    }

    /// `//host[:port][/database][;key=value;…]`
    func jTDS(_ rest: Substring) throws(DatabaseAddress.DatabaseURLError) -> DatabaseServerAddress {
        let form = "jdbc:jtds:sqlserver://host:port/database"
        let (location, settings) = split(rest, at: ";", between: ";")
        guard location.hasPrefix("//") else { throw problem(form) }
        let (hosts, path) = try hostsAndPath(location.dropFirst(2), form)
        return address(hosts, path.isEmpty ? Substring(settings["databasename"] ?? "") : path, settings)
    }

    /// Returns a URL in the form for messages: up to its settings, without a login.
    static func withoutCredentials(_ url: String) -> String {
        let start = url.prefix { $0 != "?" && $0 != ";" }
        guard let at = start.lastIndex(of: "@"), let colon = start[..<at].range(of: ":", options: .backwards),
            colon.upperBound < at
        else {
            return String(start)
        }
        // In user:password@host the password is behind the last colon, the user in front of it.
        let login = start[..<colon.lowerBound].lastIndex { $0 == "/" || $0 == ":" } ?? colon.lowerBound
        return start[...login] + "…" + start[at...]
    }
}

extension JDBCURL {
    private func problem(_ form: String) -> DatabaseAddress.DatabaseURLError {
        .init(problem: "the URL \(Self.withoutCredentials(definition.url)) is not complete: expected \(form)")
    }

    private func address(
        _ hosts: [DatabaseServerAddress.Host], _ database: Substring, _ settings: [String: String],
        decoding: Bool = false
    ) -> DatabaseServerAddress {
        let name = decoding ? database.removingPercentEncoding ?? String(database) : String(database)
        return DatabaseServerAddress(
            hosts: hosts, database: name.isEmpty ? nil : name, user: definition.user ?? settings["user"],
            password: definition.password ?? settings["password"],
            settings: settings.filter { $0.key != "user" && $0.key != "password" })
    }

    /// Splits the settings from the location.
    private func split(
        _ text: Substring, at start: Character, between separator: Character, decoding: Bool = false
    ) -> (location: Substring, settings: [String: String]) {
        guard let index = text.firstIndex(of: start) else { return (text, [:]) }
        var settings: [String: String] = [:]
        for pair in text[text.index(after: index)...].split(separator: separator) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : ""
            settings[parts[0].lowercased().trimmingCharacters(in: .whitespaces)] =
                decoding ? value.removingPercentEncoding ?? value : value
        }
        return (text[..<index], settings)
    }

    private func hostsAndPath(
        _ text: Substring, _ form: String
    ) throws(DatabaseAddress.DatabaseURLError) -> ([DatabaseServerAddress.Host], path: Substring) {
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        var hosts: [DatabaseServerAddress.Host] = []
        for part in text[..<slash].split(separator: ",") { hosts.append(try host(part, form)) }
        if hosts.isEmpty { hosts = [.init(name: "localhost")] }
        return (hosts, text[slash...].dropFirst())
    }

    /// `host`, `host:port`, `[IPv6]:port`
    private func host(_ text: Substring, _ form: String) throws(DatabaseAddress.DatabaseURLError)
        -> DatabaseServerAddress.Host
    {
        var name = text
        var port: Substring = ""
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            name = text[..<end].dropFirst()
            port = text[end...].dropFirst()
            if port.hasPrefix(":") { port = port.dropFirst() }
        } else if let colon = text.lastIndex(of: ":") {
            (name, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        guard !name.isEmpty, !name.contains(":") || text.hasPrefix("[") else { throw problem(form) }
        if port.isEmpty { return .init(name: String(name)) }
        guard let number = Int(port), (1...65535).contains(number) else { throw problem(form) }
        return .init(name: String(name), port: number)
    }

    private func withInstance(_ text: Substring) -> (place: Substring, instance: String?) {
        guard let backslash = text.firstIndex(of: "\\") else { return (text, nil) }
        let behind = text[text.index(after: backslash)...]
        let instance = behind.prefix { $0 != ":" }
        return (text[..<backslash] + behind[instance.endIndex...], String(instance))
    }
}

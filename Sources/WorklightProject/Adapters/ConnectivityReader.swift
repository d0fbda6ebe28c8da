/// Reads an adapter's `connectivity` element (server-api 5.1).
struct ConnectivityReader {
    private let reader: DocumentReader
    private let properties: WorklightProperties

    init(_ reader: DocumentReader, _ properties: WorklightProperties) {
        self.reader = reader
        self.properties = properties
    }

    /// The policies of the original that Lamplighter loads and cannot call (server-api 5.1).
    private static let otherTypes = [
        "JMSConnectionPolicyType", "CastIronConnectionPolicyType", "SAPGatewayConnectionPolicyType",
        "NWGatewayHTTPConnectionPolicyType", "NullConnectionPolicyType", "MQConnectionPolicyType",
    ]

    func read(_ element: XMLElement?) -> Connectivity {
        guard let element else { return .none }
        reader.checkVocabulary(of: element, children: ["connectionPolicy", "loadConstraints"])
        guard let policy = element["connectionPolicy"] else {
            reader.warning(element, "connectivity has no connectionPolicy, so no back end can be called")
            return .none
        }
        // Older tools left the type out when it was HTTP.
        let type = policy.attribute("type") ?? "HTTPConnectionPolicyType"
        let name = type.split(separator: ":").last.map(String.init) ?? type
        if name == "HTTPConnectionPolicyType" { return .http(http(policy, in: element)) }
        if name == "SQLConnectionPolicy" { return sql(policy, in: element) }
        guard Self.otherTypes.contains(where: { $0.hasPrefix(name) }) else {
            let known = ["HTTPConnectionPolicyType", "SQLConnectionPolicy"]
            let prefixes = ["HTTPConnectionPolicyType": "http:", "SQLConnectionPolicy": "sql:"]
            let near = Suggestion.nearest(to: name, among: known)
            reader.error(
                policy,
                "there is no connection policy of type '\(type)'; "
                    + (near.map { "is '\(prefixes[$0] ?? "")\($0)' meant?" }
                        ?? "expected http:HTTPConnectionPolicyType or sql:SQLConnectionPolicy"))
            return .unsupported(type: type)
        }
        reader.note(
            policy,
            "the connection policy of type '\(type)' is ignored: only HTTP and SQL back ends are supported; "
                + "a call to this one fails and says what to do instead")
        return .unsupported(type: type)
    }

    private func http(_ element: XMLElement, in connectivity: XMLElement) -> HTTPConnectionPolicy {
        reader.checkVocabulary(
            of: element, attributes: ["cookiePolicy", "maxRedirects"],
            children: [
                "protocol", "domain", "port", "cookiePolicy", "maxRedirects", "connectionTimeoutInMilliseconds",
                "socketTimeoutInMilliseconds", "maxConcurrentConnectionsPerNode", "authentication", "proxy",
                "sslCertificateAlias", "sslCertificatePassword", "connectionPerSession",
            ])
        var policy = HTTPConnectionPolicy()
        policy.scheme = scheme(element)
        policy.domain = domain(element["domain"])
        policy.port = reader.integer(
            element["port"]?.content, "port", of: element["port"] ?? element, in: 1...65535,
            standard: policy.scheme == "https" ? 443 : 80)
        policy.connectionTimeout = milliseconds("connectionTimeoutInMilliseconds", element)
        policy.socketTimeout = milliseconds("socketTimeoutInMilliseconds", element)
        policy.cookiePolicy = reader.choice(
            element.value("cookiePolicy"), "cookiePolicy", of: element["cookiePolicy"] ?? element,
            standard: .rfc2109)
        policy.maxRedirects = reader.integer(
            element.value("maxRedirects"), "maxRedirects", of: element["maxRedirects"] ?? element, in: 0...1000,
            standard: policy.maxRedirects)
        policy.authentication = element["authentication"].flatMap(authentication)
        policy.proxy = element["proxy"].flatMap(proxy)
        policy.sslCertificateAlias = element["sslCertificateAlias"]?.content
        policy.sslCertificatePassword = element["sslCertificatePassword"]?.content
        policy.maxConcurrentConnections = connections(
            element["maxConcurrentConnectionsPerNode"], connectivity, standard: policy.maxConcurrentConnections)
        policy.hasConnectionPerSession = reader.flag(
            element["connectionPerSession"]?.content, "connectionPerSession",
            of: element["connectionPerSession"] ?? element, standard: false)
        return policy
    }

    private func domain(_ element: XMLElement?) -> String? {
        guard let element else { return nil }
        guard let domain = element.content else {
            reader.warning(element, "domain is empty, so every invokeHttp fails; expected a host name or address")
            return nil
        }
        if domain.contains("/") || domain.contains(where: \.isWhitespace) {
            reader.error(
                element,
                "domain is '\(domain)'; expected a host name or address alone: the protocol goes into <protocol>, a port into "
                    + "<port>, a path into 'path' of invokeHttp")
        } else if let match = domain.wholeMatch(of: /([^:\[\]]+):(\d+)/) {
            reader.error(element, "domain is '\(domain)'; expected '\(match.1)' there, and <port>\(match.2)</port>")
        }
        return domain
    }

    private func scheme(_ element: XMLElement) -> String {
        let scheme = (element["protocol"]?.content ?? "http").lowercased()
        if scheme == "http" || scheme == "https" { return scheme }
        reader.error(element["protocol"], "protocol '\(scheme)' is neither http nor https")
        return "http"
    }

    private func milliseconds(_ name: String, _ element: XMLElement) -> Int {
        reader.integer(
            element[name]?.content, name, of: element[name] ?? element, in: 1...86_400_000, standard: 30_000)
    }

    /// Reads the number of connections, from the policy since 6.3, from `loadConstraints` before.
    private func connections(_ element: XMLElement?, _ connectivity: XMLElement, standard: Int) -> Int {
        let name = "maxConcurrentConnectionsPerNode"
        let constraints = connectivity["loadConstraints"]
        if let constraints { reader.checkVocabulary(of: constraints, attributes: [name]) }
        let text = element?.content ?? constraints?.attributes[name]
        return reader.integer(
            text, name, of: element ?? constraints ?? connectivity, in: 1...100_000, standard: standard)
    }

    private func authentication(_ element: XMLElement) -> HTTPAuthentication? {
        reader.checkVocabulary(of: element, children: ["basic", "digest", "ntlm", "spnego", "serverIdentity"])
        guard let scheme = HTTPAuthentication.Scheme.allCases.first(where: { element[$0.rawValue] != nil }) else {
            reader.error(element, "authentication names no scheme; expected one of basic, digest, ntlm, spnego")
            return nil
        }
        if scheme == .spnego { reader.note(element["spnego"], HTTPAuthentication.spnegoAdvice) }
        guard let identity = element["serverIdentity"] else { return HTTPAuthentication(scheme: scheme) }
        reader.checkVocabulary(of: identity, children: ["username", "password"])
        return HTTPAuthentication(
            scheme: scheme, username: identity["username"]?.content ?? "",
            password: identity["password"]?.content ?? "")
    }

    private func proxy(_ element: XMLElement) -> HTTPProxy? {
        reader.checkVocabulary(of: element, children: ["protocol", "domain", "port", "authentication"])
        guard let host = element["domain"]?.content else {
            reader.error(element, "the proxy has no 'domain'; expected its host")
            return nil
        }
        let port = reader.integer(
            element["port"]?.content, "port", of: element["port"] ?? element, in: 1...65535, standard: 80)
        return HTTPProxy(
            scheme: scheme(element), host: host, port: port,
            authentication: element["authentication"].flatMap(authentication))
    }

    private func sql(_ element: XMLElement, in connectivity: XMLElement) -> Connectivity {
        reader.checkVocabulary(of: element, children: ["dataSourceDefinition", "dataSourceJNDIName"])
        guard let source = source(element) else { return .none }
        var policy = SQLConnectionPolicy(source)
        policy.line = (element["dataSourceDefinition"]?["url"] ?? element["dataSourceJNDIName"])?.line
        policy.maxConcurrentConnections = connections(
            nil, connectivity, standard: policy.maxConcurrentConnections)
        return .sql(policy)
    }

    private func source(_ element: XMLElement) -> SQLConnectionPolicy.Source? {
        if let name = element["dataSourceJNDIName"]?.content {
            if properties.dataSource(jndiName: name) == nil {
                reader.warning(
                    element["dataSourceJNDIName"],
                    "the data source '\(name)' is not defined, so every SQL call fails; "
                        + WorklightProperties.dataSourceAdvice(jndiName: name))
            }
            return .jndiName(name)
        }
        guard let definition = element["dataSourceDefinition"] else {
            reader.error(
                element, "the SQL policy has neither dataSourceDefinition nor dataSourceJNDIName; expected one of them")
            return nil
        }
        reader.checkVocabulary(of: definition, children: ["driverClass", "url", "user", "password"])
        guard let url = definition["url"]?.content else {
            reader.error(
                definition, "dataSourceDefinition has no 'url'; expected one like jdbc:postgresql://host/database")
            return nil
        }
        return .definition(
            SQLDataSourceDefinition(
                url: url, user: definition["user"]?.content, password: definition["password"]?.content))
    }
}

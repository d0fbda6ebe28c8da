import Foundation

/// A `gateway` of `server/conf/SMSConfig.xml`: a service that sends and receives text messages (server-api 2.9).
public struct SMSGatewayDescriptor: Sendable, Hashable {
    public let id: String
    public let hostname: String
    public let port: Int
    /// The path of its program.
    public let programName: String
    /// The parameter that carries the number.
    public let toParamName: String
    /// The name of the parameter that carries the message.
    public let textParamName: String
    /// The gateway's further parameters, such as an account.
    public let parameters: [Parameter]

    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let value: String
        /// True if the value must be percent-encoded.
        public let encode: Bool
    }

    public static let path = "server/conf/SMSConfig.xml"

    static func read(
        _ data: Data, properties: WorklightProperties, problems: ProblemList
    ) -> [SMSGatewayDescriptor] {
        let reader = DocumentReader(path: path, problems: problems)
        guard let root = reader.root(of: data, expandedBy: properties) else { return [] }
        reader.reportUnresolved(in: root)
        let elements = root.name == "gateway" ? [root] : root.all("gateway")
        if elements.isEmpty { reader.warning(root, "there is no 'gateway' in this file") }
        var gateways: [SMSGatewayDescriptor] = []
        for element in elements {
            guard let gateway = SMSGatewayDescriptor(element, reader) else { continue }
            if gateways.contains(where: { $0.id == gateway.id }) {
                reader.error(element, "the gateway '\(gateway.id)' is declared twice; this one is ignored")
            } else {
                gateways.append(gateway)
            }
        }
        return gateways
    }

    private init?(_ element: XMLElement, _ reader: DocumentReader) {
        reader.checkVocabulary(
            of: element,
            // Nothing needs `fromParamName`: handlers get every parameter of a message that came in.
            attributes: [
                "id", "hostname", "port", "programName", "toParamName", "textParamName", "fromParamName",
            ], children: ["parameter"])
        guard let id = element.attributes["id"], let hostname = element.attributes["hostname"] else {
            reader.error(element, "a gateway needs the attributes 'id' and 'hostname'")
            return nil
        }
        self.id = id
        self.hostname = hostname
        port = reader.integer(element.attributes["port"], "port", of: element, in: 1...65535, standard: 80)
        programName = element.attributes["programName"] ?? ""
        toParamName = element.attributes["toParamName"] ?? "to"
        textParamName = element.attributes["textParamName"] ?? "text"
        parameters = element.all("parameter").compactMap { parameter in
            guard let name = parameter.attributes["name"], let value = parameter.attributes["value"] else {
                reader.error(parameter, "a parameter needs the attributes 'name' and 'value'")
                return nil
            }
            let encode = reader.flag(parameter.attributes["encode"], "encode", of: parameter, standard: true)
            return Parameter(name: name, value: value, encode: encode)
        }
    }
}

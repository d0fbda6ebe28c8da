public import WorklightProject

extension PushServiceSettings {
    /// Adds what the project's own files say and nothing else has said: the gateways of SMSConfig.xml, and each application's
    /// bundle id.
    public mutating func complete(from project: Project) {
        for gateway in project.smsGateways where smsGateways[gateway.id] == nil {
            smsGateways[gateway.id] = SMSGateway(
                id: gateway.id, hostname: gateway.hostname, port: gateway.port, programName: gateway.programName,
                toParamName: gateway.toParamName, textParamName: gateway.textParamName,
                fromParamName: gateway.fromParamName,
                parameters: gateway.parameters.map { .init(name: $0.name, value: $0.value, encode: $0.encode) })
        }
        for application in project.applications where applications[application.id]?.apnsTopic == nil {
            guard let bundleID = application.environments.compactMap(\.bundleID).first else { continue }
            applications[application.id, default: Application()].apnsTopic = bundleID
        }
    }
}

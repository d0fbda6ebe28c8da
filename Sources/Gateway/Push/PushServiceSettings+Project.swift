import Delivery
import WorklightProject

extension PushServiceSettings {
    /// What the operator's settings and the project's own files say: the gateways of SMSConfig.xml, and each application's
    /// bundle id.
    ///
    /// - Parameter apnsEnvironment: unless the settings say which.
    init(of project: Project, _ push: PushSettings, apnsEnvironment: APNsEnvironment) {
        self.init(apnsEnvironment: push.credentials.apns.environment ?? apnsEnvironment)
        apnsTopic = push.credentials.apns.topic
        for (id, own) in push.applications {
            applications[id] = Application(apnsEnvironment: own.apns.environment, apnsTopic: own.apns.topic)
        }
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

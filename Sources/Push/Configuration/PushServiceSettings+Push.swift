import WorklightProject

extension PushServiceSettings {
    /// What the operator's settings and the project's own files say.
    ///
    /// - Parameter apnsEnvironment: unless the settings say which.
    init(of project: Project, _ push: PushSettings, apnsEnvironment: APNsEnvironment) {
        self.init(apnsEnvironment: push.credentials.apns.environment ?? apnsEnvironment)
        apnsTopic = push.credentials.apns.topic
        for (id, own) in push.applications {
            applications[id] = Application(apnsEnvironment: own.apns.environment, apnsTopic: own.apns.topic)
        }
        complete(from: project)
    }
}

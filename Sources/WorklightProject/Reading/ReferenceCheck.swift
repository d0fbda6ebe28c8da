/// Checks that the references between a project's files can be resolved.
struct ReferenceCheck {
    let adapters: [AdapterDescriptor]
    let applications: [ApplicationDescriptor]
    let authentication: AuthenticationConfiguration
    let smsGateways: [SMSGatewayDescriptor]
    /// The names of the adapters' folders, with those of adapters that could not be read.
    let folders: Set<String>
    /// True if SMSConfig.xml could be read, or there is none.
    let hasReadableGateways: Bool
    let problems: ProblemList

    func run() {
        if authentication.isReadable {
            checkTests()
            checkRealms()
        }
        for adapter in adapters {
            for procedure in adapter.procedures {
                checkTest(procedure.securityTest, file: adapter.path, line: procedure.line)
            }
            checkConnectAs(adapter)
        }
        for application in applications {
            for environment in application.environments {
                checkTest(environment.securityTest, file: application.path, line: environment.line)
            }
            for realm in application.startupRealms
            where authentication.isReadable && authentication.realm(named: realm.name) == nil {
                problems.add(
                    ProjectError(
                        .error, file: application.path, line: realm.line,
                        "usage names the realm '\(realm.name)', which is not defined"
                            + Suggestion.text(for: realm.name, among: authentication.realms.map(\.name))))
            }
            if let gateway = application.smsGateway, hasReadableGateways,
                !smsGateways.contains(where: { $0.id == gateway })
            {
                problems.add(
                    ProjectError(
                        .warning, file: application.path, line: nil,
                        "smsGateway '\(gateway)' is not defined in \(SMSGatewayDescriptor.path)"))
            }
        }
        for resource in authentication.staticResources {
            checkTest(resource.securityTest, file: AuthenticationConfiguration.path, line: resource.line)
        }
    }

    /// Checks that each procedure has an identity to send to a back end that wants one.
    private func checkConnectAs(_ adapter: AdapterDescriptor) {
        guard let http = adapter.connectivity.http?.authentication, authentication.isReadable else { return }
        for procedure in adapter.procedures where procedure.connectAs == .endUser {
            let test = procedure.securityTest
            guard test.flatMap(authentication.userRealm) == nil else { continue }
            problems.add(
                ProjectError(
                    .warning, file: adapter.path, line: procedure.line,
                    "procedure '\(procedure.name)' has connectAs=\"endUser\" and "
                        + (test.map { "the security test '\($0)', which names no user realm" } ?? "no security test")
                        + ": calls of the back end fail; name a test with testUser or isInternalUserID"))
        }
        if http.serverIdentity == nil, let procedure = adapter.procedures.first(where: { $0.connectAs == .server }) {
            problems.add(
                ProjectError(
                    .note, file: adapter.path, line: procedure.line,
                    "procedures with connectAs=\"server\", such as '\(procedure.name)', send no credentials, since the "
                        + "connectionPolicy has no serverIdentity; add one, or set connectAs=\"endUser\" to send the user's"
                ))
        }
    }

    private func checkTest(_ name: String?, file: String, line: Int) {
        guard let name, name != AuthenticationConfiguration.unprotectedTest, authentication.isReadable,
            authentication.securityTest(named: name) == nil
        else { return }
        problems.add(
            ProjectError(
                .warning, file: file, line: line,
                "the security test '\(name)' is not defined in \(AuthenticationConfiguration.path)"
                    + Suggestion.text(for: name, among: authentication.securityTests.map(\.name))))
    }

    private func checkTests() {
        for test in authentication.securityTests {
            for part in test.tests
            where authentication.realm(named: part.realm) == nil
                && !AuthenticationConfiguration.builtInRealms.contains(part.realm)
            {
                problems.add(
                    ProjectError(
                        .error, file: AuthenticationConfiguration.path, line: part.line,
                        "the security test '\(test.name)' names the realm '\(part.realm)', which is not defined"
                            + Suggestion.text(for: part.realm, among: authentication.realms.map(\.name))))
            }
        }
    }

    private func checkRealms() {
        for realm in authentication.realms {
            if let module = realm.loginModule, authentication.loginModule(named: module) == nil {
                problems.add(
                    ProjectError(
                        .error, file: AuthenticationConfiguration.path, line: realm.line,
                        "the realm '\(realm.name)' names the login module '\(module)', which is not defined"
                            + Suggestion.text(for: module, among: authentication.loginModules.map(\.name))))
            }
            for parameter in ["login-function", "logout-function"] {
                guard let function = realm.parameter(parameter) else { continue }
                let name = function.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
                // The file of an adapter that cannot be loaded says why.
                guard !function.contains(".") || !folders.contains(name) else { continue }
                let isUsed = authentication.securityTests.contains { $0.tests.contains { $0.realm == realm.name } }
                problems.add(
                    ProjectError(
                        parameter == "login-function" && isUsed ? .error : .warning,
                        file: AuthenticationConfiguration.path, line: realm.line,
                        "\(parameter) of the realm '\(realm.name)' is '\(function)'; expected Adapter.function with one "
                            + "of this project's adapters" + Suggestion.hint(for: name, among: adapters.map(\.name))))
            }
        }
    }

}

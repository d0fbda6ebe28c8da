/// Looks whether what a project's files name in each other is there.
struct ReferenceCheck {
    let adapters: [AdapterDescriptor]
    let applications: [ApplicationDescriptor]
    let authentication: AuthenticationConfiguration
    let smsGateways: [SMSGatewayDescriptor]
    let problems: ProblemList

    func run() {
        checkTests()
        checkRealms()
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
            for realm in application.startupRealms where authentication.realm(named: realm.name) == nil {
                problems.add(
                    ProjectProblem(
                        .error, file: application.path, line: realm.line,
                        "usage names the realm '\(realm.name)', which is not defined"
                            + known(authentication.realms.map(\.name))))
            }
            if let gateway = application.smsGateway, !smsGateways.contains(where: { $0.id == gateway }) {
                problems.add(
                    ProjectProblem(
                        .warning, file: application.path, line: nil,
                        "smsGateway '\(gateway)' is not defined in \(SMSGatewayDescriptor.path)"))
            }
        }
        for resource in authentication.staticResources {
            checkTest(resource.securityTest, file: AuthenticationConfiguration.path, line: resource.line)
        }
    }

    /// Whether each procedure has an identity to send to a back end that wants one.
    private func checkConnectAs(_ adapter: AdapterDescriptor) {
        guard let http = adapter.connectivity.http?.authentication else { return }
        for procedure in adapter.procedures where procedure.connectAs == .endUser {
            let test = procedure.securityTest
            guard test.flatMap(authentication.userRealm) == nil else { continue }
            problems.add(
                ProjectProblem(
                    .warning, file: adapter.path, line: procedure.line,
                    "procedure '\(procedure.name)' has connectAs=\"endUser\" and "
                        + (test.map { "the security test '\($0)', which names no user realm" } ?? "no security test")
                        + ": calls of the back end fail; name a test with testUser or isInternalUserID"))
        }
        if http.serverIdentity == nil, let procedure = adapter.procedures.first(where: { $0.connectAs == .server }) {
            problems.add(
                ProjectProblem(
                    .note, file: adapter.path, line: procedure.line,
                    "procedures with connectAs=\"server\", such as '\(procedure.name)', send no credentials, since the "
                        + "connectionPolicy has no serverIdentity; add one, or set connectAs=\"endUser\" to send the user's"
                ))
        }
    }

    private func checkTest(_ name: String?, file: String, line: Int) {
        guard let name, name != AuthenticationConfiguration.unprotectedTest,
            authentication.securityTest(named: name) == nil
        else { return }
        problems.add(
            ProjectProblem(
                .warning, file: file, line: line,
                "the security test '\(name)' is not defined in \(AuthenticationConfiguration.path)"
                    + known(authentication.securityTests.map(\.name))))
    }

    private func checkTests() {
        for test in authentication.securityTests {
            for part in test.tests
            where authentication.realm(named: part.realm) == nil
                && !AuthenticationConfiguration.builtInRealms.contains(part.realm)
            {
                problems.add(
                    ProjectProblem(
                        .error, file: AuthenticationConfiguration.path, line: part.line,
                        "the security test '\(test.name)' names the realm '\(part.realm)', which is not defined"
                            + known(authentication.realms.map(\.name))))
            }
        }
    }

    private func checkRealms() {
        for realm in authentication.realms {
            if let module = realm.loginModule, authentication.loginModule(named: module) == nil {
                problems.add(
                    ProjectProblem(
                        .error, file: AuthenticationConfiguration.path, line: realm.line,
                        "the realm '\(realm.name)' names the login module '\(module)', which is not defined"
                            + known(authentication.loginModules.map(\.name))))
            }
            for parameter in ["login-function", "logout-function"] {
                guard let function = realm.parameter(parameter) else { continue }
                let name = function.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
                if !function.contains(".") || !adapters.contains(where: { $0.name == name }) {
                    problems.add(
                        ProjectProblem(
                            .warning, file: AuthenticationConfiguration.path, line: realm.line,
                            "\(parameter) of the realm '\(realm.name)' is '\(function)'; expected Adapter.function with one "
                                + "of this project's adapters"))
                }
            }
        }
    }

    private func known(_ names: [String]) -> String {
        names.isEmpty ? "; there are none" : "; there are: \(names.prefix(10).joined(separator: ", "))"
    }
}

import AdapterRuntime
import Authentication
import Core
import Installation
import PushModel
import WorklightProject

extension ManagementAPI {
    private static let access = JSONSchema.choice(ApplicationRule.Access.allCases.map(\.rawValue))
    private static let checksum = JSONSchema.integer(-JSONSchema.largestInteger...JSONSchema.largestInteger)
    private static let rule = JSONSchema.object([
        .required("application", .anyText), .required("environment", .anyText), .required("version", .anyText),
        .required("access", access), .optional("message", .anyText),
        .optional("downloadLink", .anyText), .optional("checksum", checksum),
        .required("updated", .time),
    ])

    private static let versionPath = "applications/{application}/{environment}/{version}"

    static let applicationRoutes: [ManagementRoute] = [
        .get(
            "applications", "List the versions that the applications declare or that have an access rule.",
            answer: .page(
                of: .object([
                    .required("application", .anyText), .required("environment", .anyText),
                    .optional("version", .anyText), .required("isDeclared", .bool), .required("access", access),
                    .optional("message", .anyText), .optional("downloadLink", .anyText),
                    .optional("checksum", checksum), .optional("updated", .time),
                ]))
        ) { api, _ in
            let rules = try await runBlocking { [rules = api.installation.security.rules] in try rules.all }
            return ["items": .array(api.versions(rules))]
        },
        .change(
            "PUT", versionPath,
            "Set the access of a version: active, notify or disabled. The version * stands for those without a rule. A field that is left out keeps its value; null removes it.",
            role: .operator,
            audit: "ApplicationAccessRuleChange",
            body: .object([
                .optional("access", access),
                .optional("message", .nullable(.text(1...ApplicationRule.messageBytes))),
                .optional("downloadLink", .nullable(.text(1...ApplicationRule.downloadLinkBytes))),
                .optional("checksum", checksum),
            ]), answer: rule, problems: [.notFound]
        ) { api, input in
            let application = input.clientApplication
            let known = api.installation.security.policy.applicationIDs
            guard known.isEmpty || known.contains(application.id) else {
                throw UnknownNameError(kind: "application", name: application.id, known: known)
            }
            try api.checkEnvironment(application)
            guard input.body.object?.isEmpty == false else {
                throw ManagementError(.badRequest, "expected access, message, downloadLink or checksum")
            }
            let current = api.installation.security.rules.own(application)
            let access = input.body["access"]?.string.flatMap { ApplicationRule.Access(rawValue: $0) }
            let checksum = input.body["checksum"]?.number.flatMap { Int(exactly: $0) }
            let given = try ApplicationRule(
                applicationID: application.id, environment: application.environment.name,
                version: application.version, access: access ?? current?.access ?? .active,
                message: input.body["message"].map(\.string) ?? current?.message,
                downloadLink: input.body["downloadLink"].map(\.string) ?? current?.downloadLink,
                checksum: checksum ?? current?.checksum, updatedAt: api.installation.time.now)
            let rule = try await runBlocking { [rules = api.installation.security.rules] in try rules.set(given) }
            input.note.set(before: current?.json, after: rule.json)
            return ManagementAnswer(rule.json)
        },
        .change(
            "DELETE", versionPath, "Remove the access rule of a version, which is then active.", role: .operator,
            audit: "ApplicationAccessRuleChange", answer: rule, problems: [.notFound]
        ) { api, input in
            let application = input.clientApplication
            let current = api.installation.security.rules.own(application)
            let wasThere = try await runBlocking { [rules = api.installation.security.rules] in
                try rules.remove(application)
            }
            guard wasThere, let current else {
                throw ManagementError(.notFound, "this version has no access rule")
            }
            input.note.set(before: current.json)
            return ManagementAnswer(current.json)
        },
    ]
}

extension ManagementAPI {
    /// Checks that the application has the environment: a rule for another one would have no effect. Versions are not checked, since old
    /// phones may have some that the descriptor no longer names.
    ///
    /// - Throws: ``ManagementError`` with status 404.
    fileprivate func checkEnvironment(_ application: ClientApplication) throws(ManagementError) {
        guard let declared = installation.project.application(id: application.id),
            case .unknown(let reason) = installation.security.policy.admission(of: application)
        else { return }
        let near = Suggestion.nearest(to: application.environment.name, among: declared.environments.map(\.name))
        throw ManagementError(.notFound, reason + (near.map { "; is '\($0)' meant?" } ?? ""))
    }

    fileprivate func versions(_ rules: [ApplicationRule]) -> [JSONValue] {
        var rest = rules
        var items: [JSONObject] = []
        for application in installation.project.applications.sorted(by: { $0.id < $1.id }) {
            for declared in application.environments {
                let environment = ApplicationRule.normalised(environment: declared.name)
                let index = rest.firstIndex {
                    ($0.applicationID, $0.environment, $0.version) == (application.id, environment, declared.version)
                }
                var item: JSONObject = [
                    "application": .string(application.id), "environment": .string(declared.name),
                ]
                item["version"] = declared.version.map(JSONValue.string)
                item["isDeclared"] = true
                item["access"] = "active"
                if let index { item.add(rest.remove(at: index)) }
                items.append(item)
            }
        }
        for rule in rest {
            var item: JSONObject = [
                "application": .string(rule.applicationID), "environment": .string(rule.environment),
                "version": .string(rule.version), "isDeclared": false,
            ]
            item.add(rule)
            items.append(item)
        }
        return items.map(JSONValue.object)
    }
}

extension JSONObject {
    fileprivate mutating func add(_ rule: ApplicationRule) {
        for key in ["access", "message", "downloadLink", "checksum", "updated"] {
            self[key] = rule.json[key] ?? self[key]
        }
    }
}

extension ManagementInput {
    /// The version that the path names.
    fileprivate var clientApplication: ClientApplication {
        ClientApplication(
            id: required("application"), environment: ClientEnvironment(required("environment")),
            version: required("version"))
    }
}

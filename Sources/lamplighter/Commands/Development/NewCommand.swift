import ArgumentParser
import Foundation
import ProjectTemplates
import WorklightProject

struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a project, an adapter, or a script for an authenticator.",
        subcommands: [
            NewProjectCommand.self, NewAdapterCommand.self, NewAuthenticatorCommand.self, NewExportCommand.self,
        ])
}

struct NewProjectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project", abstract: "Make a project with one adapter, an application, and who may do what.")

    @Argument(
        help: ArgumentHelp("The folder to make; the application is called as its last part.", valueName: "path"))
    var path: String

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("the path is empty; name the folder to make") }
        if let problem = Templates.problem(withName: folder.lastPathComponent, of: "project") {
            throw ValidationError(problem)
        }
    }

    private var folder: URL { URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }

    func run() async throws {
        let made = try Templates.project(named: folder.lastPathComponent).write(to: folder)
        for file in made { CommandOutput.writeResult("\(path)/\(file)") }
        CommandOutput.note("made the project \(folder.lastPathComponent); its README.md says what to do with it")
    }
}

struct NewAdapterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapter", abstract: "Make an adapter with its test, and declarations for the editor.")

    @Argument(help: ArgumentHelp("A letter, then letters, digits and '_'.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp("push, http, sql or plain.", valueName: "kind"),
        completion: .list(AdapterKind.allCases.map(\.rawValue)),
        transform: { text in
            guard let kind = AdapterKind(rawValue: text) else {
                throw ValidationError("expected push, http, sql or plain")
            }
            return kind
        })
    var kind = AdapterKind.plain

    @Option(help: ProjectFolder.optionHelp, completion: .directory)
    var project: String?

    func validate() throws {
        if let problem = Templates.problem(withName: name, of: "adapter") { throw ValidationError(problem) }
    }

    func run() async throws {
        let folder = try ProjectFolder.find(project)
        guard ProjectFolder.hasAdapters(folder) else {
            throw CommandError(
                description:
                    "there is no folder 'adapters' in \(folder.path); name the project's folder with --project, or make one "
                    + "with 'lamplighter new project NAME'")
        }
        let tests = tests(in: folder)
        let files = try Templates.adapter(named: name, kind: kind, tests: tests)
        for file in try files.write(to: folder) {
            CommandOutput.writeResult(ProjectFolder.shownPath(of: file, in: folder, given: project))
        }
        CommandOutput.note("made the adapter \(name); run lamplighter check --strict and lamplighter test to verify it")
        if kind == .push, tests.backEnd == nil {
            CommandOutput.note(
                "warning: the project has no security test '\(Templates.backEndTest)' that only back ends pass, so "
                    + (tests.user.map { "every user who passes '\($0)' can call notifyUser" }
                        ?? "every client that gets into an application can call notifyUser")
                    + " and notify anybody; name a stricter test in adapters/\(name)/\(name).xml")
        }
    }

    /// The tests of the project that fit: the first that has a user, and the one of new projects that only back ends pass.
    private func tests(in folder: URL) -> Templates.SecurityTests {
        let authentication = Project(reading: folder).authentication
        return Templates.SecurityTests(
            user: authentication.securityTests.first { authentication.userRealm(ofSecurityTest: $0.name) != nil }?.name,
            backEnd: authentication.securityTest(named: Templates.backEndTest)?.name)
    }
}

struct NewAuthenticatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticator",
        abstract: "Make a script in place of a Java authenticator or login module.",
        discussion: """
            Writes server/authentication/NAME.js, where NAME is the class without its package. A class that \
            authenticationConfig.xml names in a loginModule element becomes a login module, any other an authenticator.
            """)

    @Argument(help: ArgumentHelp("The Java class, with or without its package.", valueName: "class"))
    var className: String

    @Option(help: ProjectFolder.optionHelp, completion: .directory)
    var project: String?

    func validate() throws {
        guard AuthenticationConfiguration.scriptPath(ofClass: className) != nil else {
            throw ValidationError(
                "'\(className)' is not a class name: expected letters, digits, '_' and '$', with a package before it or without"
            )
        }
    }

    func run() async throws {
        let folder = try ProjectFolder.find(project)
        guard let path = AuthenticationConfiguration.scriptPath(ofClass: className) else { return }
        let simpleName = { (name: String) in String(name.split(separator: ".").last ?? "") }
        let name = simpleName(className)
        let authentication = Project(reading: folder).authentication
        let isLoginModule = authentication.loginModules.contains { $0.className.map(simpleName) == name }
        let files = Templates.realmScript(named: name, path: path, isLoginModule: isLoginModule)
        for file in try files.write(to: folder) {
            CommandOutput.writeResult(ProjectFolder.shownPath(of: file, in: folder, given: project))
        }
        let isNamed = isLoginModule || authentication.realms.contains { $0.className.map(simpleName) == name }
        CommandOutput.note(
            "made the \(isLoginModule ? "login module" : "authenticator") \(name)"
                + (isNamed ? "" : "; no realm of \(AuthenticationConfiguration.path) names it yet"))
    }
}

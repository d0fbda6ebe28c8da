import Foundation
import TestSupport
import Testing

@Suite("new")
struct NewCommandTests {
    @Test("A new project passes check --strict, and its adapter notifies")
    func project() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Shop")
        let made = try await Command.run(["new", "project", path])
        #expect(made.status == 0)
        #expect(made.output.contains("\(path)/adapters/Messages/Messages-impl.js\n"))
        let checked = try await Command.run(["check", "--strict", path])
        #expect(checked.output == "")
        #expect(checked.errors == "read 1 adapter and 1 application: 0 errors, 0 warnings, 0 notes\n")
        let subscribed = try await Command.run([
            "subscribe", "Messages.News", "--user", "ann", "--device", "phone", "--platform", "Android", "--token", "t",
            "--application", "Shop", "--project", path,
        ])
        #expect(subscribed.status == 0)
        let call = try await Command.run(["call", "Messages/notifyUser", #"["ann","Hello"]"#, "--project", path])
        #expect(call.output == #"{"isSuccessful":true,"devices":1}"# + "\n")
        let nobody = try await Command.run(["call", "Messages/notifyUser", #"["bob","Hello"]"#, "--project", path])
        #expect(nobody.output == #"{"isSuccessful":false,"errors":["bob has no device that is subscribed"]}"# + "\n")
    }

    @Test("A new adapter is guarded by the project's own tests")
    func adapter() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Shop")
        _ = try await Command.run(["new", "project", path])
        for kind in ["push", "http", "sql", "plain"] {
            let made = try await Command.run(["new", "adapter", "My\(kind)", "--kind", kind, "--project", path])
            #expect(made.status == 0)
            #expect(made.output.split(separator: "\n").count == 4)
        }
        let xml = try String(contentsOfFile: path + "/adapters/Myhttp/Myhttp.xml", encoding: .utf8)
        #expect(xml.contains(#"<procedure name="findItems" securityTest="UserTest"/>"#))
        let checked = try await Command.run(["check", "--strict", path])
        #expect(checked.status == 0)
        #expect(checked.output == "")
        let call = try await Command.run(["call", "Myplain/greet", #"["Ann"]"#, "--project", path])
        #expect(call.output == #"{"isSuccessful":true,"text":"Hello, Ann!"}"# + "\n")
    }

    @Test("check names the command for a Java authenticator and login module, and what it makes satisfies check")
    func authenticator() async throws {
        let folder = try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A", procedures: []).replacing(
                "</wl:adapter>", with: #"<procedure name="run" securityTest="T"/></wl:adapter>"#),
            "adapters/A/A-impl.js": "function run() { return {} }",
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            <customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
            <realms><realm name="R" loginModule="M"><className>com.example.MyAuthenticator</className></realm></realms>
            <loginModules><loginModule name="M"><className>com.example.MyLoginModule</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
        ])
        let before = try await Command.run(["check", folder.path])
        for name in ["MyAuthenticator", "MyLoginModule"] {
            #expect(
                before.output.contains("'lamplighter new authenticator \(name)' makes server/authentication/\(name).js")
            )
            let made = try await Command.run(["new", "authenticator", "com.example.\(name)", "--project", folder.path])
            #expect(made.status == 0 && made.output == "\(folder.path)/server/authentication/\(name).js\n")
        }
        let path = "server/authentication/MyLoginModule.js"
        let script = try String(contentsOfFile: folder.path(path), encoding: .utf8)
        #expect(script.contains("function login(authenticationData)"))
        try folder.write(script.replacing(/throw new Error.*/, with: "return password == 'right';"), to: path)
        let after = try await Command.run(["check", folder.path])
        #expect(after.status == 0 && after.output == "", "\(after.output)")
        try folder.write(script, to: path)
        try folder.write(
            """
            test("the tutorial's flow", () => {
                const client = harness.client();
                const asked = client.authenticator("R", "processRequest", { isAccess: true });
                expect(asked.status).toBe("CLIENT_INTERACTION_REQUIRED");
                expect(JSON.parse(asked.response.body)).toEqual({ authStatus: "required" });
                const form = { path: "/apps/services/my_custom_auth_request_url", query: { username: "ann", password: "x" } };
                const given = client.withRequest(form).authenticator("R", "processRequest", { isAccess: false });
                expect(given).toMatchObject({ status: "SUCCESS", data: { username: "ann", password: "x" } });
                const refused = client.loginModule("R", "login", { data: given.data });
                expect(refused).toEqual({ isAccepted: false, message: "MyLoginModule: the password is not checked yet" });
                expect(() => client.loginModule("Other", "login")).toThrow("has no script");
            });
            """, to: "adapters/A/A.test.js")
        let tested = try await Command.test([folder.path])
        #expect(tested.status == 0, "\(tested.output) \(tested.errors)")
        try folder.write("function login( {", to: "server/authentication/MyLoginModule.js")
        let broken = try await Command.run(["check", folder.path])
        #expect(
            broken.status == 1 && broken.output.contains("server/authentication/MyLoginModule.js:1"), "\(broken.output)"
        )
        #expect(try await Command.run(["new", "authenticator", "../x", "--project", folder.path]).status == 2)
    }

    @Test("warns that a push adapter lets every client notify anybody, if there is no test for back ends")
    func openPush() async throws {
        let folder = try TemporaryFolder(["adapters/notes.txt": ""])
        let outcome = try await Command.run(["new", "adapter", "A", "--kind", "push", "--project", folder.path])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("every client that gets into an application can call notifyUser"))
        let plain = try await Command.run(["new", "adapter", "B", "--project", folder.path])
        #expect(!plain.errors.contains("warning"))
    }

    @Test("overwrites no file, and the error names the existing one")
    func again() async throws {
        let folder = try TemporaryFolder(["adapters/notes.txt": ""])
        let arguments = ["new", "adapter", "A", "--project", folder.path]
        #expect(try await Command.run(arguments).status == 0)
        let outcome = try await Command.run(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("/adapters/A/A.xml exists already, and no file is overwritten"))
    }

    @Test(
        "An invalid name and an unknown kind are wrong usage",
        arguments: [
            (["adapter", "1a"], "the name '1a' is not valid for an adapter: expected a letter"),
            (["adapter", "a", "--kind", "soap"], "expected push, http, sql or plain"),
            (["project", "some/a-b"], "the name 'a-b' is not valid for a project"),
            (["project", ""], "the path is empty"),
        ])
    func wrong(arguments: [String], message: String) async throws {
        let outcome = try await Command.run(["new"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message))
    }

    @Test("An adapter needs a project, and the error says how to create one")
    func noProject() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Command.run(["new", "adapter", "A", "--project", folder.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("'lamplighter new project NAME'"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}

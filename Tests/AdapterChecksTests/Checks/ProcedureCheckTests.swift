import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Procedures and functions")
struct ProcedureCheckTests {
    @Test(
        "finds a call of an undeclared adapter or procedure",
        arguments: [
            ("{ adapter: 'B', procedure: 'x' }", "there is no adapter 'B'; there are: A"),
            ("{ adapter: 'A', procedure: 'helper' }", "add <procedure name=\"helper\"/> to the XML"),
            ("{ adapter: 'A', procedure: 'rub' }", "declares no procedure 'rub', so the call fails; is 'run' meant?"),
        ])
    func undeclared(options: String, message: String) async throws {
        let checked = try await Checked(
            "function run() { return helper(); }\nfunction helper() { WL.Server.invokeProcedure(\(options)); }")
        #expect(checked.places == ["2:21 undeclared-procedure"])
        #expect(try checked.only(.undeclaredProcedure).message.contains(message))
    }

    @Test("The options of a call are followed into a variable used for nothing else")
    func variable() async throws {
        let checked = try await Checked(
            "function run() { var o = { adapter: 'A', procedure: 'x' }; WL.Server.invokeProcedure(o); }")
        #expect(checked.places == ["1:60 undeclared-procedure"])
    }

    @Test(
        "A call that can be right is not reported",
        arguments: [
            "{ adapter: 'A', procedure: 'run' }", "{ adapter: name, procedure: 'x' }",
            "{ adapter: 'A', procedure: name }",
            "{ adapter: 'Broken', procedure: 'x' }", "options(name)",
        ])
    func declared(options: String) async throws {
        let checked = try await Checked(
            "function run(name) { return WL.Server.invokeProcedure(\(options)); }\nvar options = function (x) { return x; }; options();",
            files: ["adapters/Broken/notes.txt": ""])
        #expect(checked.places == [])
    }

    @Test("A procedure without a function is found in the XML")
    func missing() async throws {
        let checked = try await Checked("function runs() {}")
        #expect(checked.places == ["1:1 unused-function", "xml:4 missing-function"])
        #expect(try checked.only(.missingFunction).message.hasSuffix("so calling it fails; is 'runs' meant?"))
    }

    @Test("A function that a parameter of a realm or a login module names is used")
    func configured() async throws {
        let configuration = """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"><realms>
            <realm name="R" loginModule="M"><className>c.DeviceAutoProvisioningAuthenticator</className>
            <parameter name="validate-csr-function" value="A.check"/></realm></realms></tns:loginConfiguration>
            """
        let checked = try await Checked(
            "function run() {} function check() {} function other() {}",
            files: ["server/conf/authenticationConfig.xml": configuration.replacing(" loginModule=\"M\"", with: "")])
        #expect(checked.problems.filter { $0.id == "unused-function" }.map { $0.message.contains("'other'") } == [true])
    }

    @Test(
        "A procedure that is certainly not a function is found in the XML",
        arguments: ["let run = 5;", "var run = { a: 1 };", "const run = ('x');"])
    func noFunction(source: String) async throws {
        let checked = try await Checked(source)
        #expect(checked.places == ["xml:4 missing-function"])
        #expect(
            try checked.only(.missingFunction).message.contains(
                "'run' on line 1 of adapters/A/A-impl.js is not a function"))
    }

    @Test(
        "A procedure that may be a function is not reported",
        arguments: [
            "let run = () => 1;", "let run = make(); function make() { return () => 1; }",
            "var run = null; run = () => 1;",
            "var run; run = make(); function make() { return () => 1; }", "var run = 5; function run() {}",
            "var run = null; setUp(); function setUp() { run = () => 1; }", "var { run } = { run() {} };",
        ])
    func maybeFunction(source: String) async throws {
        #expect(try await Checked(source).problems.filter { $0.id == "missing-function" } == [])
    }

    @Test("An unused function is a note")
    func unused() async throws {
        let checked = try await Checked("function run() {}\nfunction forgotten() {}")
        #expect(checked.places == ["2:1 unused-function"])
        #expect(checked.problems.map(\.severity) == [.note])
    }

    @Test("names realms as possible users if authenticationConfig.xml is missing")
    func withoutRealms() async throws {
        let source = "function run() {} function onLogout() {}"
        #expect(try await Checked(source).only(.unusedFunction).message.contains("authenticationConfig.xml is missing"))
        let realms = ["server/conf/authenticationConfig.xml": "<loginConfiguration/>"]
        let checked = try await Checked(source, files: realms)
        #expect(!(try checked.only(.unusedFunction).message.contains("authenticationConfig.xml")))
    }

    @Test(
        "A function that is named anywhere may be used",
        arguments: [
            "function run() { helper(); } function helper() {}",
            "function run() { this['helper'](); } function helper() {}",
            "function run() {} function helper() {} helper();", "/* helper */ function run() {} function helper() {}",
        ])
    func used(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }

    @Test("reports the second of two functions with the same name, with the position of the first")
    func duplicate() async throws {
        let checked = try await Checked("function run() { return 1; }\nfunction run() { return 2; }")
        #expect(checked.places == ["2:1 duplicate-function"])
        #expect(try checked.only(.duplicateFunction).message.contains("defined on line 1 already"))
    }

    @Test("Functions of one name in different scopes are not duplicates")
    func namesakes() async throws {
        let checked = try await Checked(
            "function run() { function f() {} return f(); }\nfunction other() { function f() {} return f(); }\nother();"
        )
        #expect(checked.places == [])
    }
}

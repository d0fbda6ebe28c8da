import AdapterChecks
import Testing
import WorklightProject

@Suite("Callbacks that do not exist")
struct CallbackTests {
    @Test(
        "A callback that names no function is found at its position",
        arguments: [
            ("WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: 'gone' });", "1:42", "names 'gone'"),
            (
                "WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: 'rum' } });", "1:63",
                "'run' meant"
            ),
            (
                "WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: gone } });", "1:63",
                "nothing is called"
            ),
            ("WL.Server.createEventSource({ name: 'E', poll: { interval: 5 } });", "1:1", "has no 'onPoll'"),
            ("WL.Server.createEventSource({ name: 'E', poll: { onPoll: run } });", "1:1", "has no 'interval'"),
            ("WL.Server.setEventHandlers([WL.Server.createEventHandler({}, 'gone')]);", "1:29", "names 'gone'"),
            ("WL.Server.createSMSEventHandler({}, gone, 'g');", "1:1", "nothing is called gone"),
        ])
    func found(source: String, place: String, message: String) async throws {
        let checked = try await Checked(source + "\nfunction run() {}")
        #expect(checked.places == ["\(place) undefined-callback"])
        #expect(try checked.only(.undefinedCallback).message.contains(message))
    }

    @Test("A missing poll function is reported as the worst")
    func worst() async throws {
        let checked = try await Checked(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: 'gone' } });\nfunction run() {}")
        #expect(
            try checked.only(.undefinedCallback).message
                == "event source 'E': onPoll names 'gone', but there is no such function; every poll fails and nothing is ever "
                + "fetched; define the function at the top level of the script")
    }

    @Test(
        "A callback that may be a function is ignored",
        arguments: [
            "function run() {} WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: 'run' });",
            "const run = () => 1; WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: 'run' });",
            "run = function () {}; WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: run });",
            "this.run = function () {}; WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: 'run' });",
            "function run() {} WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: '' });",
            "function run() {} var o = { f: run }; WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: o.f });",
            "function run() {} WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: pick() }); function pick() { return run; }",
            "function run() {} var p = {}; WL.Server.createEventSource({ name: 'E', poll: { ...p } });",
            "function run() {} WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: null, onUserChange: undefined });",
            "this['r' + 'un'] = function () {}; WL.Server.createEventSource({ name: 'E', onDeviceSubscribe: 'run' });",
        ])
    func quiet(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }

    private static func configuration(_ function: String) -> String {
        """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <realms>
        <realm name="R" loginModule="M"><className>com.worklight.integration.auth.AdapterAuthenticator</className>
        <parameter name="login-function" value="\(function)"/></realm>
        </realms>
        <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className>
        </loginModule></loginModules>
        </tns:loginConfiguration>
        """
    }

    private func realm(_ function: String) async throws -> Checked {
        try await Checked(
            "function run() {} function onAuthRequired() {}",
            files: [
                "adapters/A/A.xml": """
                <adapter xmlns="http://www.ibm.com/mfp/integration" name="A"><procedure name="run" securityTest="wl_unprotected"/>
                </adapter>
                """,
                "server/conf/authenticationConfig.xml": Self.configuration(function),
            ])
    }

    @Test("A realm's login function that does not exist is found")
    func loginFunction() async throws {
        let problem = try await realm("A.onAuthRequird").only(.undefinedCallback)
        #expect(problem.place == "server/conf/authenticationConfig.xml:3")
        #expect(
            problem.message
                == "login-function of the realm 'R' is 'A.onAuthRequird', but adapters/A/A-impl.js has no function "
                + "'onAuthRequird': nobody can log in; is 'onAuthRequired' meant?")
    }

    @Test("A realm's login function counts as used")
    func goodLoginFunction() async throws {
        #expect(try await realm("A.onAuthRequired").places == [])
    }
}

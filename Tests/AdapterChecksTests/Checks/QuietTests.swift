import AdapterChecks
import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("No false alarms")
struct QuietTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func ids(_ folder: String) async -> Set<String> {
        Set(
            await StrictCheck.problems(of: Project(reading: Self.repository.appending(path: folder))).compactMap(
                \.id))
    }

    @Test(
        "The adapters of this repository have no problems, but for their open exercises",
        arguments: [".", "examples/change-the-user", "examples/watch-prices", "examples/NativePush/project"])
    func repository(folder: String) async {
        #expect(await ids(folder).subtracting(["missing-security-test"]) == [])
    }

    @Test("An adapter in the usual old style has no problems")
    func bank() async throws {
        let checked = try await Checked(
            """
            var selectAccounts = WL.Server.createSQLStatement("select id, name from accounts where owner = ? order by name");
            var config = { retries: 3 }, userDetail;

            function onAuthRequired(headers, errorMessage) {
                errorMessage = errorMessage ? errorMessage : null;
                return { authRequired: true, errorMessage: errorMessage };
            }
            function submitAuthentication(name, password) {
                userDetail = WL.Server.invokeSQLStatement({ preparedStatement: selectAccounts, parameters: [name] });
                if (!userDetail.isSuccessful || userDetail.resultSet.length == 0) return onAuthRequired(null, "no");
                WL.Server.setActiveUser("BankRealm", null);
                WL.Server.setActiveUser("BankRealm", { userId: name, attributes: { pin: password } });
                return { authRequired: false };
            }
            function getAccounts() {
                for (var i = 0, all = []; i < config.retries; i++) all.push(userDetail.resultSet[i]);
                WL.Logger.debug("accounts " + JSON.stringify(all) + String(userDetail) + isNaN(all.length));
                return { accounts: all, user: WL.Server.getActiveUser("BankRealm") };
            }
            function onLogout() { WL.Server.setActiveUser("BankRealm", null); }
            """, procedures: ["submitAuthentication", "getAccounts", "onAuthRequired", "onLogout"],
            connectivity: Checked.sql)
        #expect(checked.places == [])
    }

    @Test("A script that does not parse is reported elsewhere")
    func unreadable() async throws {
        #expect(try await Checked("function run( {").places == [])
    }

    @Test(
        "Arguments that the runtime takes are not reported",
        arguments: [
            "invokeHttp({ method: 'GET', path: '/', parameters: [1], headers: [] })",
            "invokeHttp({ method: 'get', path: '/', transformation: { type: 'default', xslFile: null } })",
            "invokeHttp({ __proto__: { method: 'get' }, path: '/' })",
            "invokeHttp({ method: 'get', path: '/', socketTimeoutInMilliseconds: '3000', returnedContentType: 'text/x-json' })",
            "invokeProcedure({ adapter: 'A', procedure: 'run', parameters: x }, { onSuccess: x })",
            "getActiveUser()", "setActiveUser('R', null)", "getUserNotificationSubscription('A.E', 5)",
        ])
    func accepted(call: String) async throws {
        let checked = try await Checked(
            "WL.Server.createEventSource({ name: 'E' }); function run(x) { return WL.Server.\(call); }",
            connectivity: Checked.http)
        #expect(checked.places == [])
    }

    @Test("A script that nests deeply is checked without harm")
    func deep() async throws {
        let sum = Array(repeating: "'x'", count: 20_000).joined(separator: "+")
        let nested = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        let checked = try await Checked("function run() { WL.Server.notifyAll(\(nested), { alert: \(sum) }); }")
        #expect(checked.problems.map(\.id) == ["payload-size", "wrong-argument"])
    }
}

import AdapterRuntime
import Credentials
import Dispatch
import Synchronization
import Testing

@testable import Authentication

/// Runs its tasks one after the other on one thread, as an event loop does.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    init() { queue.suspend() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func begin() { queue.resume() }
}

/// What happened, in that order.
private final class Events: Sendable {
    private let names = Mutex<[String]>([])

    var value: [String] { names.withLock { $0 } }

    func note(_ name: String) { names.withLock { $0.append(name) } }
}

@Suite("Calls that may be logins")
struct LoginCallTests {
    private static let login = LoginProcedure(
        adapter: "A", name: "enter", traits: LoginTraits(role: .login, parameters: ["user", "password"]))

    private func read(_ parameters: String, _ login: LoginProcedure = Self.login) async throws -> LoginCall {
        let test = try await TestGate(realms: "", modules: "")
        return await LoginCall.reading(login, parameters, test.visit(test.begin()), sharing: SharedTexts())
    }

    @Test("Long arguments are read on another thread than that of an event loop")
    func offLoop() async throws {
        let loop = OneThread()
        let events = Events()
        let test = try await TestGate(realms: "", modules: "")
        let visit = test.visit(test.begin())
        let long = "[" + String(repeating: #""text","#, count: 300_000) + "1]"
        let reading = Task(executorPreference: loop) {
            let call = await LoginCall.reading(Self.login, long, visit, sharing: SharedTexts())
            events.note("read")
            return call
        }
        let other = Task(executorPreference: loop) { events.note("other") }
        loop.begin()
        await other.value
        let call = await reading.value
        #expect(events.value == ["other", "read"])
        #expect(call.step.subjects.texts == [""])
    }

    /// One whose parameters do not say which is the user.
    private static let unnamed = LoginProcedure(
        adapter: "A", name: "login", traits: LoginTraits(role: .login, parameters: []))

    @Test("Names of members and parameters say which texts may be the user's")
    func subjects() async throws {
        let arguments = #"["ann","secret",{"action":"login","lang":"en","customerNo":7,"pin":"1","u":"x"}]"#
        let call = try await read(arguments)
        #expect(call.isLogin)
        // The procedure has a parameter for the user.
        #expect(call.step.subjects.users == ["ann"])
        #expect(call.step.subjects.texts == [])
        let other = try await read(arguments, Self.unnamed)
        #expect(other.step.subjects.users == ["x"])
        #expect(other.step.subjects.texts == ["ann", "secret", "7"])
    }

    @Test("More than sixteen texts count for the network, and users besides")
    func manyTexts() async throws {
        let texts = (0..<16).map { "\"text-\($0)\"" }.joined(separator: ",")
        let call = try await read(#"[{"user":"ann"},"secret",\#(texts)]"#, Self.unnamed)
        #expect(call.step.subjects.users == ["ann"])
        #expect(call.step.subjects.texts == [""])
    }

    @Test("A call without a text is no login")
    func nothing() async throws {
        let call = try await read("[null, true, {}]")
        #expect(call.isEmpty && !call.isLogin)
    }
}

@Suite("The meaning of names in logins")
struct LoginWordsTests {
    @Test(
        "Passwords are found in many spellings",
        arguments: [
            "password", "passWord", "user_password", "newpassword", "userPwd", "PIN", "userPIN", "p", "pw", "smsCode",
            "otp",
            "contraseña", "j_password", "passwd2",
        ])
    func passwords(name: String) {
        #expect(LoginWords.meaning(of: name) == .password)
    }

    @Test(
        "Users are found in many spellings",
        arguments: [
            "user", "userName", "USERNAME", "user_id", "j_username", "email", "customerId", "login", "p_username",
            "pUserName", "u",
        ])
    func users(name: String) {
        #expect(LoginWords.meaning(of: name) == .user)
    }

    @Test("Actions and languages are no users", arguments: ["action", "userAction", "lang", "device_type", "locale"])
    func ordinary(name: String) {
        #expect(LoginWords.meaning(of: name) == .ordinary)
    }

    @Test(
        "The rest may be anything",
        arguments: [
            "", "z", "opinion", "shipping", "data", "pinned", "tangent", "0", "p1", "u2", "passwordUser", "orgName",
        ])
    func unknown(name: String) {
        #expect(LoginWords.meaning(of: name) == .unknown)
    }

    @Test(
        "Some procedures say by their name that they log in",
        arguments: [
            ("login", true), ("doLogin", true), ("submitAuthentication", true), ("signIn", true), ("auth", true),
            ("request", false), ("getLoginHistory", false), ("isLoginAllowed", false), ("authors", false),
            ("log", false),
        ])
    func procedures(name: String, saysLogin: Bool) {
        #expect(LoginWords.saysLogin(name) == saysLogin)
    }
}

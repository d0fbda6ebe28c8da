import AdapterRuntime
import Credentials

/// A call of a procedure that may log users in, with the subjects for which a refused login counts.
struct LoginCall: Sendable {
    /// `Adapter.procedure`.
    let key: String
    /// The subjects, realm and address for which a refused login counts.
    let step: LoginStep
    let names: [LoginArguments.Name]
    /// Whether it can only be a login: there is a password, or the procedure's name says so.
    let isLogin: Bool
    /// Whether there is nothing that a login could be about.
    let isEmpty: Bool
    /// Whether there are names that ``names`` does not have.
    private let hidesNames: Bool
    private let role: LoginRole
    private let hasSteps: Bool

    /// The most names of users, and texts that may be. A client that sends more hides which user it is about.
    private static let mostSubjects = 16

    /// The longest arguments that are read on the thread of the caller, which may be that of an event loop.
    private static let longestOnLoop = 16_384

    /// Reads a call. Long arguments are read on another thread.
    static func reading(
        _ procedure: LoginProcedure, _ parameters: String, _ visit: RealmGate.Visit, sharing shared: SharedTexts
    ) async -> LoginCall {
        guard parameters.utf8.count > longestOnLoop else {
            return LoginCall(procedure, parameters, visit, sharing: shared)
        }
        return await Task(executorPreference: globalConcurrentExecutor) {
            LoginCall(procedure, parameters, visit, sharing: shared)
        }.value
    }

    private init(
        _ procedure: LoginProcedure, _ parameters: String, _ visit: RealmGate.Visit, sharing shared: SharedTexts
    ) {
        let arguments = LoginArguments(parameters, parameters: procedure.traits.parameters)
        key = procedure.key
        names = arguments.names
        hidesNames = arguments.hidesNames
        isEmpty = arguments.isEmpty
        isLogin = !isEmpty && (arguments.hasPassword || LoginWords.saysLogin(procedure.name))
        role = procedure.traits.role
        var subjects = visit.session.subjectsOfFailedSteps
        hasSteps = subjects != LoginSubjects()
        // Where the procedure has a parameter for the user, other texts name nobody.
        let isDeclared = names.contains(where: \.isDeclared)
        for name in names where name.isUser || !isDeclared && !shared.contains(name, of: key) {
            if name.isUser { subjects.users.insert(name.text) } else { subjects.texts.insert(name.text) }
        }
        if arguments.hidesNames || subjects.users.count + subjects.texts.count > Self.mostSubjects {
            // Counts for the network.
            subjects.texts = [""]
            if subjects.users.count > Self.mostSubjects { subjects.users = [] }
        }
        // A call that may not be a login counts for its own procedure only, so that it does not affect the logins of other
        // procedures.
        step = LoginStep(
            subjects: subjects, realm: isLogin ? procedure.adapter : procedure.key, address: visit.request.remoteAddress
        )
    }

    /// Whether it may be about a user other than the one who is logged in: the texts in members or parameters for users decide, or
    /// all texts where there are none.
    func isAboutAnother(than account: String) -> Bool {
        guard !hidesNames else { return true }
        let users = names.filter(\.isUser)
        return (users.isEmpty ? names : users).contains { !BruteForceGuard.isSameUser($0.text, account) }
    }

    /// Whether it has texts that may be the name of a user, and all are the name of this one.
    private func isOnlyAbout(_ account: String) -> Bool {
        !hidesNames && !names.isEmpty && names.allSatisfy { BruteForceGuard.isSameUser($0.text, account) }
    }

    /// Whether a call that logged nobody in was a login that the procedure refused, in a session with a user.
    func isRefusedAgain(by result: ProcedureResult, for account: String) -> Bool {
        isLogin
            && (!result.isSuccessful || LoginAnswer(result.json).asksAgain || role == .login && !isOnlyAbout(account))
    }

    /// Whether it was a login that the procedure refused, when it logged nobody in.
    ///
    /// Procedures answer a wrong password as their authors like, so that every answer to a password counts. Without a password
    /// only an answer counts that asks to log in again and says why, to a call with two texts: one that asks alone is how a login
    /// begins.
    func isRefused(by answer: LoginAnswer) -> Bool {
        if answer.asksAgain { return isLogin || hasSteps || answer.saysWhy && names.count > 1 }
        return isLogin && role == .login
    }
}

import AdapterRuntime
import Credentials
import PushModel

/// A call of a procedure that may log users in, with the subjects for which a refused login counts.
struct LoginCall: Sendable {
    /// `Adapter.procedure`.
    let key: String
    /// The subjects, realm and address for which a refused login counts.
    let step: LoginStep
    let names: [LoginArguments.Name]
    /// Whether it can only be a login: there is a password, the procedure's name says so, or it follows an earlier step.
    let isLogin: Bool
    /// Whether there is nothing that a login could be about.
    let isEmpty: Bool
    /// Whether there are names that ``names`` does not have.
    private let hidesNames: Bool
    /// The texts that may be the name of a user, without those of earlier steps.
    private let own: Set<String>
    private let role: LoginRole
    private let hasSteps: Bool
    /// Whether it has a password, or is the next step of a login.
    private let hasSecret: Bool
    /// Whether it is the next step of a login that another procedure began.
    private let isFollowUp: Bool
    /// Whether the steps before were about one user, and this one has no more than an answer.
    private let hasOneUser: Bool

    /// The most names of users, and texts that may be. A client that sends more hides which user it is about.
    private static let mostSubjects = 16

    /// Reads a call. Long arguments are read on another thread than the caller's, which may be that of an event loop.
    static func reading(
        _ procedure: LoginProcedure, _ parameters: String, _ visit: RealmGate.Visit, sharing shared: SharedTexts
    ) async -> LoginCall {
        await ThreadPool.shared.run(ifLong: parameters.utf8.count) {
            LoginCall(procedure, parameters, visit, sharing: shared)
        }
    }

    private init(
        _ procedure: LoginProcedure, _ parameters: String, _ visit: RealmGate.Visit, sharing shared: SharedTexts
    ) {
        let arguments = LoginArguments(parameters, parameters: procedure.traits.parameters)
        key = procedure.key
        names = arguments.names
        hidesNames = arguments.hidesNames
        isEmpty = arguments.isEmpty
        role = procedure.traits.role
        isFollowUp = role == .login && visit.session.hasPassedSteps(besides: key)
        hasSecret = isFollowUp || arguments.hasPassword && !(role == .step && LoginWords.saysNewUser(procedure.name))
        isLogin = !isEmpty && (hasSecret || LoginWords.saysLogin(procedure.name))
        let steps = visit.session.subjectsOfFailedSteps
        hasSteps = steps != LoginSubjects()
        hasOneUser = steps.isOneName && names.count < 2
        // Where the procedure has a parameter for the user, other texts name nobody.
        let declared = names.filter(\.isDeclared)
        let users = declared.isEmpty ? names.filter(\.isUser) : declared
        let texts = declared.isEmpty ? names.filter { [key] in !$0.isUser && !shared.contains($0, of: key) } : []
        own = Set((users + texts).map(\.text))
        var subjects = LoginSubjects(
            users: steps.users.union(users.map(\.text)), texts: steps.texts.union(texts.map(\.text)))
        if hidesNames || subjects.users.count + subjects.texts.count > Self.mostSubjects {
            // Counts for the network besides.
            subjects = LoginSubjects(users: Set(users.prefix(Self.mostSubjects).map(\.text)), texts: [""])
        }
        // A call that may not be a login counts for its own procedure only, so that it does not affect the logins of other
        // procedures.
        step = LoginStep(
            subjects: subjects, realm: isLogin ? procedure.adapter : procedure.key,
            address: visit.request.remoteAddress,
            certainty: isLogin ? .certain : role == .login && (hasSteps || names.count > 1) ? .possible : .unlikely)
    }

    /// Whether it may be about a user other than the one who is logged in.
    func isAboutAnother(than account: String) -> Bool {
        hidesNames || own.contains { !BruteForceGuard.isSameUser($0, account) }
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
    /// Procedures answer a wrong password as their authors like, so that every answer to a password counts, and every answer to what
    /// follows it. Other calls count only when the answer asks to log in again and says why, to a call with two texts: one that asks
    /// alone is how a login begins.
    func isRefused(by answer: LoginAnswer) -> Bool {
        if hasSecret || isLogin && role == .login { return true }
        if isLogin || hasSteps { return answer.asksAgain }
        return answer.asksAgain && answer.saysWhy && names.count > 1
    }

    /// Whether a login that this call ends was one user's, as far as its address is concerned.
    var endsOneLogin: Bool { step.subjects.isOneName || isFollowUp && hasOneUser }

    /// Whether it may have been a step of a login, and the right one, although it was counted as refused.
    func mayBeStep(_ answer: LoginAnswer) -> Bool { role == .step || answer.asksAgain }
}

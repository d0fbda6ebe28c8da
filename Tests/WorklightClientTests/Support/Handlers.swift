import Foundation
import TestSupport
import WorklightClient

/// The form's handler of seed 004, 2.2.12, example 1; it tries one password after the other.
class FormChallengeHandler: ChallengeHandler {
    let challenges = AwaitableValue(0)
    var passwords: [String]
    var url = "j_security_check"
    var method = "POST"
    /// In milliseconds, so long that no response comes too late on a busy machine.
    var timeout = Int32(Duration.noLimitMilliseconds)
    /// Lets a test hold the login back.
    var mayAnswer: (@Sendable () async -> Void)?

    init(realm: String = "PushAppRealm", passwords: [String] = ["password"]) {
        self.passwords = passwords
        super.init(realm: realm)
    }

    override func handleChallenge(_ response: WLResponse!) {
        challenges.update { $0 += 1 }
        guard !passwords.isEmpty else { return submitFailure(response) }
        let parameters = ["j_username": "bjones", "j_password": passwords.removeFirst()]
        submitLoginForm(
            url, requestParameters: parameters, requestHeaders: ["customHeader1": "aaa", "customHeader2": "bbb"],
            requestTimeoutInMilliseconds: timeout, requestMethod: method)
    }

    override func onSuccess(_ response: WLResponse!) {
        if isCustomResponse(response) { handleChallenge(response) } else { submitSuccess(response) }
    }

    override func onFailure(_ response: WLFailResponse!) { submitFailure(response) }

    override func isCustomResponse(_ response: WLResponse!) -> Bool {
        response.responseText.contains("j_security_check")
    }
}

/// Logs in by a procedure.
class AdapterChallengeHandler: ChallengeHandler {
    let challenges = AwaitableValue(0)
    var passwords: [String]

    init(passwords: [String] = ["password"]) {
        self.passwords = passwords
        super.init(realm: "AdapterRealm")
    }

    override func handleChallenge(_ response: WLResponse!) {
        challenges.update { $0 += 1 }
        guard !passwords.isEmpty else { return submitFailure(response) }
        let data = WLProcedureInvocationData(adapter: "AuthAdapter", procedure: "submitAuthentication")
        data?.setParameters(["bjones", passwords.removeFirst()])
        submitAdapterAuthentication(data, options: ["timeout": Duration.noLimitMilliseconds])
    }

    override func onSuccess(_ response: WLResponse!) {
        if isCustomResponse(response) { handleChallenge(response) } else { submitSuccess(response) }
    }

    override func onFailure(_ response: WLFailResponse!) { submitFailure(response) }

    override func isCustomResponse(_ response: WLResponse!) -> Bool {
        response.getResponseJson()?["authRequired"] as? Bool == true
    }
}

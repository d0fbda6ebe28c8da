import Core

/// Pages of no resource.
extension ConsoleView {
    static var notFound: ConsoleView {
        ConsoleView(
            "Not found", status: 404,
            [.paragraph([.text("This page does not exist."), .link("Overview", ConsoleSite.root)])])
    }

    /// Says why the management API refused something.
    static func problem(_ error: ConsoleError, isChange: Bool) -> ConsoleView {
        let title =
            switch error.status {
            case 403: "Not allowed"
            case 404: "Not found"
            case 409: "Not possible now"
            case ..<500: "Not accepted"
            default: "Failed"
            }
        var blocks: [ConsoleBlock] = [.paragraph([.text(error.detail)], .bad)]
        let problems = error.answer["problems"]?.array ?? []
        if !problems.isEmpty { blocks.append(.list(problems.map { [.text($0.problemText)] })) }
        if isChange { blocks.append(.text("Nothing was changed. Go back to correct it.")) }
        return ConsoleView(title, status: error.status, blocks)
    }

    static func question(_ question: ConsoleConfirmation, _ call: ConsoleCall) -> ConsoleView {
        let form = ConsoleForm(
            action: "\(ConsoleSite.root)/\(call.address)", fields: [],
            submits: [ConsoleForm.Submit(question.answer, name: "confirmed", value: "yes", style: .danger)],
            hidden: call.fields.all.map { ($0.name, $0.value) }, cancel: question.cancel)
        return ConsoleView(question.title, [.text(question.text), .form(form)])
    }

    static func login(next: String, name: String?, problem: String?, hasOpenID: Bool, csrf: String) -> ConsoleView {
        var account = ConsoleField("account", "Account", value: name, isRequired: true)
        account.autocomplete = "username"
        var password = ConsoleField("password", "Password", .input(type: "password"), value: nil, isRequired: true)
        password.autocomplete = "current-password"
        var blocks: [ConsoleBlock] = problem.map { [.paragraph([.text($0)], .bad)] } ?? []
        blocks.append(
            .form(
                ConsoleForm(
                    action: "\(ConsoleSite.root)/login", fields: [account, password],
                    submits: [ConsoleForm.Submit("Log in")], hidden: [("next", next)])))
        if hasOpenID {
            blocks.append(
                .buttons([.go("Log in with OpenID Connect", "/management/v1/login/openid?for=console", style: .quiet)]))
        }
        blocks.append(
            .paragraph([
                .muted("Accounts are made on the server:"), .mono("lamplighter account add NAME --role admin"),
            ]))
        return ConsoleView(title: "Log in", sections: [ConsoleSection(isNarrow: true, blocks)])
    }
}

extension JSONValue {
    /// A problem of the project: `adapters/A/A-impl.js:3:5: message`.
    var problemText: String {
        let place = [text("file"), text("line"), text("column")].compactMap(\.self).joined(separator: ":")
        return "\(place): \(text("message") ?? "")"
    }
}

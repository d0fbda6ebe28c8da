import Installation

/// A page of the console.
package struct ConsolePage: Sendable {
    package let pattern: PathPattern
    /// In the menu; `nil` for pages that others lead to.
    let menu: ConsoleMenuEntry?
    /// The lowest role that may open it.
    let role: ManagementRole
    let view: @Sendable (ConsoleCall) async throws -> ConsoleView

    init(
        _ path: String, menu: ConsoleMenuEntry? = nil, role: ManagementRole = .monitor,
        _ view: @escaping @Sendable (ConsoleCall) async throws -> ConsoleView
    ) {
        pattern = PathPattern(path)
        (self.menu, self.role, self.view) = (menu, role, view)
    }
}

/// An entry of the menu.
struct ConsoleMenuEntry: Sendable {
    enum Group: String, CaseIterable { case server = "Server", push = "Push", adapters = "Adapters", apps = "Apps" }

    let group: Group
    let label: String
}

/// An action of a form or a button of the console. The API checks the role.
package struct ConsoleAction: Sendable {
    package let pattern: PathPattern
    /// The question before the action; `nil` for actions that can be undone.
    let question: (@Sendable (ConsoleCall) async throws -> ConsoleConfirmation)?
    /// The page with the form, which is shown again with its values when it is refused; `nil` for buttons.
    let form: (@Sendable (ConsoleCall) async throws -> ConsoleView)?
    let run: @Sendable (ConsoleCall) async throws -> ConsoleOutcome

    init(
        _ path: String, form: (@Sendable (ConsoleCall) async throws -> ConsoleView)? = nil,
        asking question: (@Sendable (ConsoleCall) async throws -> ConsoleConfirmation)? = nil,
        _ run: @escaping @Sendable (ConsoleCall) async throws -> ConsoleOutcome
    ) {
        pattern = PathPattern(path)
        (self.form, self.question, self.run) = (form, question, run)
    }
}

/// A question before an action that cannot be undone.
struct ConsoleConfirmation: Sendable {
    let title: String
    /// The effect of the action.
    let text: String
    /// The label of the button.
    let answer: String
    /// The page to return to.
    let cancel: String
}

enum ConsoleOutcome {
    /// Leads to a page that shows the notice.
    case done(String, at: String)
    case view(ConsoleView)
}

/// The pages in the order of the menu, and the actions.
extension ConsoleSite {
    package static let pages: [ConsolePage] =
        overviewPages + deliveryPages + messagePages + directoryPages + adapterPages + applicationPages + serverPages

    package static let actions: [ConsoleAction] =
        deliveryActions + messageActions + directoryActions + adapterActions + applicationActions + serverActions
}

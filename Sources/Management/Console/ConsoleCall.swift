import Core
import Installation

/// A request for a page of the console, or an action of one, by an account that has logged in.
struct ConsoleCall: Sendable {
    let api: ManagementAPI
    let principal: ManagementPrincipal
    /// The values of the path's parameters.
    let parameters: [String: String]
    /// The fields of the query, or of the form that was sent.
    let fields: FormFields
    /// The page's path below `/console/`, with its query.
    let address: String

    /// A parameter of the path.
    func path(_ name: String) -> String { parameters[name] ?? "" }

    /// A field that is not empty.
    func field(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    func may(_ role: ManagementRole) -> Bool { principal.role >= role }

    /// Reads a resource of the management API.
    ///
    /// - Throws: ``ConsoleError``.
    func get(_ path: String..., query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
        let given = query.compactMap { name, value in value.map { (name, $0) } }
        return try await send(ManagementCall(path: path, query: given))
    }

    /// Reads a list of the management API, with the fields of these names as its query.
    ///
    /// - Throws: ``ConsoleError``.
    func list(_ path: String, _ names: String..., limit: Int) async throws -> JSONValue {
        let given = names.compactMap { name in field(name).map { (name, $0) } }
        return try await send(ManagementCall(path: [path], query: given + [("limit", "\(limit)")]))
    }

    /// The form that searches a list, with the values that were searched for.
    ///
    /// - Parameter hidden: the name of a value that the form keeps and does not show.
    func search(_ list: String, _ fields: ConsoleField..., keeping hidden: String? = nil) -> ConsoleBlock {
        var form = ConsoleForm(
            action: consolePath(list), fields: fields, submits: [ConsoleForm.Submit("Search", style: .quiet)],
            isPost: false, isFilter: true, label: "Search")
        for index in form.fields.indices { form.fields[index].value = field(form.fields[index].name) }
        if let hidden, let value = field(hidden) { form.hidden = [(hidden, value)] }
        return .form(form)
    }

    /// Makes a change by the management API.
    ///
    /// - Throws: ``ConsoleError``.
    @discardableResult
    func change(_ method: String, _ path: String..., body: JSONValue? = nil) async throws -> JSONValue {
        try await send(ManagementCall(method, segments: path, body: body))
    }

    /// - Throws: ``ConsoleError``.
    func send(_ call: ManagementCall) async throws -> JSONValue {
        let answer = await api.answer(call, as: principal)
        let json = try JSONValue(parsing: answer.body)
        guard answer.isProblem else { return json }
        throw ConsoleError(status: answer.status, answer: json)
    }

    /// The addresses of a list's first page, unless this is it, and of its next page.
    func pages(of list: String, next cursor: String?) -> (first: String?, next: String?) {
        let rest = fields.all.filter { $0.name != "cursor" && !$0.value.isEmpty }.map { ($0.name, $0.value) }
        func address(_ fields: [(String, String)]) -> String {
            fields.isEmpty ? list : "\(list)?\(FormFields.encode(fields))"
        }
        return (field("cursor") == nil ? nil : address(rest), cursor.map { address(rest + [("cursor", $0)]) })
    }
}

/// The management API refuses what the console asks.
struct ConsoleError: Error {
    /// The HTTP status.
    let status: Int
    let detail: String
    /// The problem, with members besides those of every problem.
    let answer: JSONValue

    init(status: Int, detail: String, answer: JSONValue = .null) {
        (self.status, self.detail, self.answer) = (status, detail, answer)
    }

    init(_ error: any Error) {
        self = error as? ConsoleError ?? ConsoleError(status: 500, detail: "\(error)")
    }

    /// Makes an error from a problem of the API, whose detail follows its field.
    init(status: Int, answer: JSONValue) {
        let detail = answer["detail"]?.string ?? ""
        self.init(
            status: status, detail: answer["field"]?.string.map { "\($0): \(detail)" } ?? detail, answer: answer)
    }
}

/// The path of a page of the console.
func consolePath(_ segments: String...) -> String {
    (["/console"] + segments.map { PercentEncoding.encode($0) }).joined(separator: "/")
}

/// The address of a page of the console with a query; fields without a value are left out.
func consoleAddress(_ page: String, _ fields: KeyValuePairs<String, String?>) -> String {
    let given = fields.compactMap { name, value in value.map { (name, $0) } }
    return given.isEmpty ? consolePath(page) : "\(consolePath(page))?\(FormFields.encode(given))"
}

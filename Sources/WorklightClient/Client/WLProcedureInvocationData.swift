public import Foundation

/// Which procedure to call, and with what (seed 004, 2.3).
public final class WLProcedureInvocationData: NSObject {
    let adapter: String
    let procedure: String
    private var parameters: [Any] = []

    /// - Parameters:
    ///   - adapter: the adapter's name.
    ///   - procedure: the procedure's name (2.3.1).
    public init(adapter: String!, procedure: String!) {
        self.adapter = adapter ?? ""
        self.procedure = procedure ?? ""
        super.init()
    }

    /// Sets the procedure's parameters: whatever JSON knows, such as texts, numbers, Booleans, arrays and dictionaries
    /// (2.3.2). With something else among them the call fails.
    public func setParameters(_ parameters: [Any]!) {
        self.parameters = parameters ?? []
    }

    /// - Throws: ``WLError`` when a parameter is nothing that JSON knows.
    func parameterText() throws(WLError) -> String {
        if let text = JSONText.text(of: parameters) { return text }
        let number = parameters.firstIndex { JSONText.text(of: $0) == nil } ?? 0
        throw WLError(
            WLErrorCodeUnexpectedError,
            "\(adapter)/\(procedure): parameter \(number + 1) is a \(type(of: parameters[number])), which JSON does not know: "
                + "use texts, numbers, Booleans, arrays and dictionaries"
        )
    }
}

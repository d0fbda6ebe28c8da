// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// The procedure to call, and its parameters (seed 004, 2.3).
open class WLProcedureInvocationData: NSObject {
    let adapter: String
    let procedure: String
    /// The procedure's parameters, as ``setParameters(_:)`` sets them. The header of the SDK has this property beside the method.
    open var parameters: [Any]! = []

    /// - Parameters:
    ///   - adapter: the adapter's name.
    ///   - procedure: the procedure's name (2.3.1).
    public init!(adapter: String!, procedure: String!) {
        self.adapter = adapter ?? ""
        self.procedure = procedure ?? ""
        super.init()
    }

    /// The same under the names of the SDK's header.
    public convenience init!(adapterName: String!, procedureName: String!) {
        self.init(adapter: adapterName, procedure: procedureName)
    }

    /// Sets the procedure's parameters: values that JSON has, such as texts, numbers, Booleans, arrays and dictionaries
    /// (2.3.2). With something else among them the call fails.
    open func setParameters(_ parameters: [Any]!) {
        self.parameters = parameters
    }

    /// - Throws: ``WLError`` when a parameter is nothing that JSON knows.
    func parameterText() throws(WLError) -> String {
        let parameters = parameters ?? []
        if let text = JSONText.text(of: parameters) { return text }
        let number = parameters.firstIndex { JSONText.text(of: $0) == nil } ?? 0
        throw WLError(
            WLErrorCodeUnexpectedError,
            "\(adapter)/\(procedure): parameter \(number + 1) is a \(type(of: parameters[number])), which JSON does not know: "
                + "use texts, numbers, Booleans, arrays and dictionaries"
        )
    }
}

// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// The procedure to call, and its parameters (seed 004, 2.3).
///
/// ```swift
/// let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "getDemoAccount")
/// data?.setParameters(["123-456-789"])
/// client.invokeProcedure(data, with: delegate, options: ["timeout": 3000])
/// ```
open class WLProcedureInvocationData: NSObject {
    let adapter: String
    let procedure: String
    /// The procedure's parameters, as ``setParameters(_:)`` sets them. The header of the SDK has this property beside the method.
    open var parameters: [Any]! = []

    /// Creates the data of a call without parameters (2.3.1).
    ///
    /// - Parameters:
    ///   - adapter: the adapter's name.
    ///   - procedure: the procedure's name.
    public init!(adapter: String!, procedure: String!) {
        self.adapter = adapter ?? ""
        self.procedure = procedure ?? ""
        super.init()
    }

    /// Creates the data of a call without parameters, with the argument names of the SDK's header.
    public convenience init!(adapterName: String!, procedureName: String!) {
        self.init(adapter: adapterName, procedure: procedureName)
    }

    /// Sets the procedure's parameters: values that JSON can represent, such as strings, numbers, Booleans, arrays and dictionaries
    /// (2.3.2). With any other value the call fails.
    open func setParameters(_ parameters: [Any]!) {
        self.parameters = parameters
    }

    /// Returns the parameters as a JSON array.
    ///
    /// - Throws: ``WLError`` when JSON cannot represent a parameter.
    func parameterText() throws(WLError) -> String {
        let parameters = parameters ?? []
        if let text = JSONText.text(of: parameters) { return text }
        let number = parameters.firstIndex { JSONText.text(of: $0) == nil } ?? 0
        throw WLError(
            WLErrorCodeUnexpectedError,
            "\(adapter)/\(procedure): parameter \(number + 1) is a \(type(of: parameters[number])), which JSON cannot represent: "
                + "use strings, numbers, Booleans, arrays and dictionaries"
        )
    }
}

import Foundation

extension WLClient {
    /// Calls an adapter's procedure (2.2.3).
    public func invokeProcedure(
        _ procedureInvocationData: WLProcedureInvocationData!, with delegate: (any WLDelegate)!
    ) {
        invokeProcedure(procedureInvocationData, with: delegate, options: [:])
    }

    /// Calls an adapter's procedure with options (2.2.4).
    ///
    /// - Parameter options: `timeout`, the number of milliseconds after which the call fails with ``WLErrorCodeRequestTimeout``
    ///   (``WorklightSettings/requestTimeout`` by default, 0 for no limit); `invocationContext`, an object that the response returns;
    ///   `compressResponse`, a Boolean, as of 6.0.
    public func invokeProcedure(
        _ procedureInvocationData: WLProcedureInvocationData!, with delegate: (any WLDelegate)!,
        options: [AnyHashable: Any]! = [:]
    ) {
        let options = RequestOptions(options)
        let call = ProcedureCall(procedureInvocationData)
        run(delegate, context: options.context, isProcedure: true) {
            [timeout = options.timeout, compressed = options.isCompressed] core in
            try await core.requireConnection(for: "invokeProcedure")
            return try await core.invoke(
                adapter: call.adapter, procedure: call.procedure, parameters: try call.parameters.get(),
                timeout: timeout,
                compressed: compressed)
        }
    }
}

/// A copy of a call's data: the application may change its object after the call.
struct ProcedureCall: Sendable {
    let adapter: String
    let procedure: String
    let parameters: Result<String, WLError>

    init(_ data: WLProcedureInvocationData?) {
        adapter = data?.adapter ?? ""
        procedure = data?.procedure ?? ""
        parameters = Result { () throws(WLError) in
            guard let data else {
                throw WLError(WLErrorCodeUnexpectedError, "invokeProcedure: the WLProcedureInvocationData is nil")
            }
            return try data.parameterText()
        }
    }
}

/// The options of a procedure call, read from a dictionary (2.2.4, 2.9.6).
struct RequestOptions {
    var timeout = RequestTimeout.standard
    var context: Any?
    var isCompressed: Bool?

    init(_ options: [AnyHashable: Any]?) {
        if let number = options?["timeout"] as? NSNumber {
            timeout = RequestTimeout(milliseconds: number.intValue)
        }
        context = options?["invocationContext"]
        isCompressed = options?["compressResponse"] as? Bool
    }
}

import Core
import Databases
import Foundation
import JavaScriptEngine
import Logging
import Tracing
import WorklightProject

/// `WL.Server.createSQLStatement`, `invokeSQLStatement` and `invokeSQLStoredProcedure` (server-api 2.3).
extension AdapterScope {
    static func declareSQL(in table: inout BindingTable.Declarations) {
        table.add("createSQLStatement") { scope, call in
            _ = try scope.sqlPolicy(for: "createSQLStatement")
            guard let text = try call[0].unboxed().string else {
                throw HostError("createSQLStatement: expected an SQL string, got \(call[0].kind)")
            }
            return call.context.makeObject(hostData: SQLStatementHandle(text))
        }
        table.addWaiting("invokeSQLStatement") { scope, call in
            let policy = try scope.sqlPolicy(for: "invokeSQLStatement")
            let options = try SQLOptions(call[0], function: "invokeSQLStatement")
            let statement = try options.value("preparedStatement")
            // 8.0 takes the SQL string itself.
            guard let sql = try (statement.hostData as? SQLStatementHandle)?.text ?? statement.unboxed().string else {
                throw HostError(
                    "invokeSQLStatement: 'preparedStatement' must be a result of createSQLStatement, or an SQL string, got "
                        + statement.kind)
            }
            let parameters = try options.parameters()
            let onWait = scope.context.beginWait
            return try scope.runSQL(sql, policy) { lease, deadline, cpu, isGivenUp throws(SQLStatementError) in
                try lease.execute(
                    sql, parameters: parameters, deadline: deadline, isGivenUp: isGivenUp, cpu: cpu, onWait: onWait)
            }
        }
        table.addWaiting("invokeSQLStoredProcedure") { scope, call in
            let policy = try scope.sqlPolicy(for: "invokeSQLStoredProcedure")
            let options = try SQLOptions(call[0], function: "invokeSQLStoredProcedure")
            guard let name = try options.value("procedure").unboxed().string else {
                throw HostError(
                    "invokeSQLStoredProcedure: 'procedure' must be a string, got \(try options.value("procedure").kind)"
                )
            }
            let parameters = try options.parameters()
            return try scope.runSQL(name, policy) { lease, deadline, _, isGivenUp throws(SQLStatementError) in
                try lease.call(procedure: name, parameters: parameters, deadline: deadline, isGivenUp: isGivenUp)
            }
        }
    }

    private func sqlPolicy(for function: String) throws -> SQLConnectionPolicy {
        guard let policy = adapter.descriptor.connectivity.sql else {
            throw HostError(
                "\(function): \(adapter.descriptor.path) has no SQL connectivity; it needs a connectionPolicy of type "
                    + "sql:SQLConnectionPolicy")
        }
        return policy
    }

    private typealias SQLBody =
        @Sendable (SQLLease, Duration, CPUBudget?, (@Sendable () -> Bool)?) throws(SQLStatementError) -> SQLResult

    private func runSQL(
        _ statement: String, _ policy: SQLConnectionPolicy, _ body: @escaping SQLBody
    ) throws -> BackEndCall {
        let isGivenUp = context.isGivenUp
        let time = adapter.services.time
        let start = time.uptime
        let span = adapter.services.tracer?.span("SQL", in: table.call.caller.trace, ofKind: .client)
        let record = { [adapter] (outcome: BackEndMetrics.Outcome, took: Duration) in
            adapter.sqlMetrics?.record(outcome, took: took)
            span?.end(failure: outcome == .ok ? nil : outcome.rawValue)
        }
        let source: SQLDataSource
        do {
            source = try adapter.backEnds.sql(policy)
        } catch {
            record(.failed, time.uptime - start)
            return .result(try makeResult(.failure(error), of: statement, isAbandoned: false))
        }
        let lease = table.call.lease(of: source)
        let cpu = source.isInProcess ? context.remainingCPUTime.map(CPUBudget.init) : nil
        let deadline = context.remainingTime ?? Self.longestWait
        let perform = { @Sendable in
            let outcome = Result { () throws(SQLStatementError) in try body(lease, deadline, cpu, isGivenUp) }
            return (outcome, isAbandoned: isGivenUp(), took: time.uptime - start)
        }
        let wait = BackEndWait(perform: perform) { then in
            Self.threads.submit { then(perform()) }
        } finish: { [self] outcome, isAbandoned, took in
            if let cpu { _ = context.count(cpuTime: cpu.used, isOfThisThread: true) }
            let failure = if case .failure(let failure) = outcome { failure } else { nil as SQLStatementError? }
            record(
                failure.map { isAbandoned ? .abandoned : $0.kind == .statement ? .error : .failed } ?? .ok, took)
            if failure == nil || !isAbandoned { adapter.backEnds.note(.sql, failure: failure?.outage, at: time.now) }
            return try makeResult(outcome.mapError { $0 }, of: statement, isAbandoned: isAbandoned)
        }
        guard source.isInProcess else { return .wait(wait) }
        // The statement is work of this thread.
        return .result(try waiting(computes: true) { wait.onThread() }())
    }

    /// The threads on which statements wait for their databases.
    private static let threads = ThreadPool(name: "databases", threads: 64)

    private func makeResult(
        _ outcome: Result<SQLResult, any Error>, of statement: String, isAbandoned: Bool
    ) throws -> ScriptValue {
        let reference = adapter.settings.failureReference
        do {
            return try makeResult(outcome.get(), of: statement)
        } catch let failure as SQLStatementError {
            // No trouble of the database's. The script comes to its end next.
            if isAbandoned { throw HostError("the call was cancelled: \(statement)") }
            let code = failure.kind == .driverMissing ? "FWLST0905E" : "FWLST0906E"
            let message = "\(failure)\nPerformed query:\n\(statement.prefix(Self.longestQuoted))"
            // As failures of invokeHttp: one line a minute for each statement and cause.
            adapter.log.log(
                "SQL \(message)", at: .error, others: reference == nil ? .debug : .info, to: logger,
                metadata: reference?.metadata,
                atCall("\(code): \(table.call.hidingCredentials(in: message))"))
            if let reference { table.call.conceal(message, as: "the statement failed (\(reference))") }
            return failed(message)
        } catch let error as SQLConfigurationError {
            logger.error("\(atCall("FWLST0905E: \(error)"))", metadata: reference?.metadata)
            return failed(reference.map { "the data source's settings are invalid (\($0))" } ?? "\(error)")
        }
    }

    private func makeResult(_ result: SQLResult, of statement: String) throws -> ScriptValue {
        if result.surplusParameters > 0 {
            let (count, isOne) = (result.surplusParameters, result.surplusParameters == 1)
            adapter.log.warnOnce(
                "surplus \(statement)", to: logger, metadata: ["statement": "\(statement.prefix(200))"],
                atCall(
                    "\(count) parameter\(isOne ? " was" : "s were") ignored: the statement has fewer placeholders (?) than "
                        + "'parameters' has elements; remove those that it does not need"))
        }
        var json = Array(#"{"isSuccessful":true,"#.utf8)
        if let rows = result.resultSet {
            json += #""resultSet":"#.utf8
            rows.appendJSON(to: &json)
        } else {
            json += #""updateStatementResult":{"updateCount":\#(result.updateCount ?? 0)}"#.utf8
        }
        json += [UInt8(ascii: "}"), 0]
        guard let value = parse(json: json) else {
            throw HostError("the database's result could not be written as JSON")
        }
        return value
    }

    private func failed(_ message: String) -> ScriptValue {
        context.parse(json: ProcedureResult.failure(["Runtime: \(message)"]).json) ?? context.null
    }
}

/// The statement behind a script's SQL statement object; the script can neither see nor change it.
private final class SQLStatementHandle: TraceDescribing {
    let text: String

    var traceText: String { text }

    init(_ text: String) {
        self.text = text
    }
}

/// The argument of the two functions.
private struct SQLOptions {
    private let options: ScriptValue
    private let function: String

    init(_ options: ScriptValue, function: String) throws {
        guard options.isObject else {
            throw HostError("\(function): expected an object with 'parameters' and more, got \(options.kind)")
        }
        let transformation = try options.get("transformation").get("type").string ?? "default"
        guard ["default", "void"].contains(transformation) else {
            throw HostError(
                "\(function): 'transformation' by '\(transformation)' is not available for SQL results; change the rows in "
                    + "the script")
        }
        self.options = options
        self.function = function
    }

    func value(_ key: String) throws -> ScriptValue { try options.get(key) }

    /// The reference itself misspells the key, so scripts do.
    func parameters() throws -> [SQLValue] {
        let name = options.has("parameters") ? "parameters" : "parametrers"
        let list = try options.get(name)
        if list.isNullOrUndefined { return [] }
        guard list.isArray else { return [try parameter(list, name)] }
        return try list.elements().enumerated().map { try parameter($1, "\(name)[\($0)]") }
    }

    private func parameter(_ value: ScriptValue, _ path: String) throws -> SQLValue {
        let plain = try value.unboxed()
        // Before anything of it is copied.
        if plain.isFunction || plain.isArray || (plain.isObject && !plain.isDate && !plain.isBytes) {
            throw mismatch(path, value)
        }
        switch try plain.data() {
        case .undefined, .null: return .null
        case .bool(let bool): return .bool(bool)
        case .number(let number): return .real(number)
        case .string(let string): return .text(string)
        case .date(let date): return .instant(date)
        case .bytes(let bytes): return .bytes(bytes)
        case .array, .object: throw mismatch(path, value)
        }
    }

    private func mismatch(_ path: String, _ value: ScriptValue) -> HostError {
        HostError(
            "\(function): '\(path)' must be a string, a number, a boolean, a Date, a Uint8Array or null, got \(value.kind)"
        )
    }
}

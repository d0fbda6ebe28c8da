public import BackEndHTTP
public import Foundation
import Synchronization

/// Answers in place of an adapter's HTTP back end, and remembers what it was asked.
///
/// Cookies, redirects, authentication and the conversion of what it answers are the real ones.
///
///     let shop = harness.backEnd("Catalog")
///     shop.get("/prices", .json(["ACME": 12.5]))
///     shop.post("/orders") { request in .json(["number": 1], status: request.json == nil ? 400 : 201) }
public final class StubbedBackEnd: BackEndStandIn, Sendable {
    /// Answers one request.
    public typealias Answering = @Sendable (StubbedRequest) throws -> StubbedAnswer

    private struct Stub {
        let method: String
        let path: String
        let answer: Answering
        /// Whether it runs as a part of the test's task.
        let isOfTask: Bool

        func fits(_ request: StubbedRequest) -> Bool {
            guard method == "*" || method == request.method else { return false }
            if path.hasSuffix("*") { return request.path.hasPrefix(path.dropLast()) }
            return path == request.path
        }
    }

    private struct State {
        var stubs: [Stub] = []
        var requests: [StubbedRequest] = []
    }

    private let adapter: String
    private let unwatched: HarnessRecorder
    private let noteMisuse: @Sendable (HarnessMisuseError) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - unwatched: records requests without an answer that no watch records.
    ///   - noteMisuse: called for a stub that can never answer.
    init(
        adapter: String, unwatched: HarnessRecorder, noteMisuse: @escaping @Sendable (HarnessMisuseError) -> Void
    ) {
        self.adapter = adapter
        self.unwatched = unwatched
        self.noteMisuse = noteMisuse
    }

    /// Answers requests of that method and path. What is set later comes first. Expectations may stand in it.
    ///
    /// - Parameters:
    ///   - method: in any case; `*` for all.
    ///   - path: without the query; with `*` at its end for all that begin so.
    public func on(
        _ method: String, _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        add(method, path, isOfTask: true, TestPlace(fileID: fileID, line: line), answer)
    }

    /// As ``on(_:_:_:)-(_,_,Answering)``, but the answer knows nothing of the test's task, and may wait for it.
    package func onThread(_ method: String, _ path: String, _ answer: @escaping Answering) {
        add(method, path, isOfTask: false, nil, answer)
    }

    private func add(
        _ method: String, _ path: String, isOfTask: Bool, _ place: TestPlace?, _ answer: @escaping Answering
    ) {
        if path.contains("?") {
            note(
                "a back end's stub: expected a path without a query, got \(path); a function gets the query as request.query",
                place)
        }
        if !Self.methods.contains(method.uppercased()) {
            note(
                "a back end's stub: '\(method)' is no method; there are: \(Self.methods.joined(separator: ", "))", place
            )
        }
        let path = path.hasPrefix("/") || path.hasPrefix("*") ? path : "/\(path)"
        let stub = Stub(method: method.uppercased(), path: path, answer: answer, isOfTask: isOfTask)
        state.withLock { $0.stubs.insert(stub, at: 0) }
    }

    private static let methods = ["*", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"]

    private func note(_ message: String, _ place: TestPlace?) {
        var misuse = HarnessMisuseError(message)
        misuse.place = place
        noteMisuse(misuse)
    }

    /// Answers requests of that method and path: with the first answer once, then with the next, and with the last from
    /// then on.
    public func on(
        _ method: String, _ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line
    ) {
        on(method, path, answers, fileID: fileID, line: line)
    }

    /// As ``on(_:_:_:)-(String,String,StubbedAnswer...)``.
    public func on(
        _ method: String, _ path: String, _ answers: [StubbedAnswer], fileID: String = #fileID, line: Int = #line
    ) {
        let next = Mutex(0)
        on(method, path, fileID: fileID, line: line) { _ in
            next.withLock { index in
                defer { index = min(index + 1, answers.count - 1) }
                return answers.isEmpty ? .status(200) : answers[index]
            }
        }
    }

    /// Has a real server answer all requests, such as one that the test has started: `http://127.0.0.1:8080`.
    public func forward(to server: URL, fileID: String = #fileID, line: Int = #line) {
        if !["http", "https"].contains(server.scheme ?? "") || server.host() == nil {
            note(
                "forward: expected an address such as http://127.0.0.1:8080, got \(server)",
                TestPlace(fileID: fileID, line: line))
        }
        on("*", "*", .server(server))
    }

    /// What was asked, in order.
    public var requests: [StubbedRequest] { state.withLock { $0.requests } }

    /// Forgets what was asked.
    public func clearRequests() {
        state.withLock { $0.requests = [] }
    }

    public func answer(_ request: BackEndStandInRequest) throws(BackEndStandInError) -> BackEndStandInAnswer {
        let request = StubbedRequest(request)
        let stub = state.withLock { state in
            state.requests.append(request)
            return state.stubs.first { $0.fits(request) }
        }
        guard let stub else { throw refuse(.unanswered(unanswered(request))) }
        let answer: BackEndStandInAnswer
        do {
            if stub.isOfTask, let watch = HarnessRecorder.current {
                answer = try watch.inTask { try stub.answer(request) }.answer
            } else {
                answer = try stub.answer(request).answer
            }
        } catch {
            throw refuse(.failed("the stub of \(stub.method) \(stub.path) failed: \(Self.text(of: error))"))
        }
        if case .response(let status, _, _) = answer, !(100...599).contains(status) {
            throw refuse(
                .failed("the stub of \(stub.method) \(stub.path) answers \(status): expected a status of 100 to 599"))
        }
        return answer
    }

    /// What a stub threw. A requirement of Swift Testing's has said itself what is wrong, and its error says it again for machines.
    private static func text(of error: any Error) -> String {
        String(describing: type(of: error)) == "ExpectationFailedError" ? "a requirement in it was not met" : "\(error)"
    }

    private func refuse(_ trouble: UnstubbedRequest) -> BackEndStandInError {
        (HarnessRecorder.current ?? unwatched).note(trouble)
        return BackEndStandInError(trouble.message)
    }

    private func unanswered(_ request: StubbedRequest) -> String {
        let known = state.withLock { $0.stubs.map { "\($0.method) \($0.path)" }.joined(separator: ", ") }
        return "no stub answers \(request.method) \(request.path) at the back end of \(adapter); "
            + (known.isEmpty ? "none has been set" : "there are: \(known)")
    }
}

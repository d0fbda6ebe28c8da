public import BackEndHTTP
public import Foundation
import Synchronization

/// A stub that replaces an adapter's HTTP back end and records its requests.
///
/// Cookies, redirects, authentication and the conversion of responses work as with a real back end. A request that has no stub fails the
/// call, with a message that lists the stubs.
///
/// ```swift
/// let shop = harness.backEnd("Catalog")
/// shop.get("/prices", .json(["ACME": 12.5]))
/// shop.post("/orders") { request in .json(["number": 1], status: request.json == nil ? 400 : 201) }
/// try await harness.call("Catalog/order", "ACME")
/// #expect(shop.requests.map(\.method) == ["GET", "POST"])
/// ```
public final class StubbedBackEnd: BackEndStandIn, Sendable {
    /// A function that returns the response to one request. A call whose request it throws for fails.
    public typealias Answering = @Sendable (StubbedRequest) throws -> StubbedAnswer

    private struct Stub {
        let method: String
        let path: String
        let answer: Answering
        /// True if the function runs as a part of the test's task.
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
    ///   - unwatched: the recorder of failed requests outside every call, poll and callback.
    ///   - noteMisuse: called for a stub that can never match a request.
    init(
        adapter: String, unwatched: HarnessRecorder, noteMisuse: @escaping @Sendable (HarnessMisuseError) -> Void
    ) {
        self.adapter = adapter
        self.unwatched = unwatched
        self.noteMisuse = noteMisuse
    }

    /// Sets the function that responds to requests of this method and path. It has precedence over stubs that were set before.
    ///
    /// The function may contain expectations (`#expect`); a failed one belongs to the test that runs.
    ///
    /// - Parameters:
    ///   - method: the method, in any case; `*` for all methods.
    ///   - path: the path, decoded, without the query; with `*` at its end, the prefix of paths.
    public func on(
        _ method: String, _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        add(method, path, isOfTask: true, TestPlace(fileID: fileID, line: line), answer)
    }

    /// Sets the function that responds to requests, as ``on(_:_:fileID:line:_:)`` does. The function runs outside the test's task,
    /// so it may wait for that task.
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
                "a back end's stub: '\(method)' is not a method; expected one of \(Self.methods.joined(separator: ", "))",
                place)
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

    /// Sets the responses to requests of this method and path: the first request gets the first response, the next request the next
    /// one, and all further requests the last one. Without responses, the status is 200.
    ///
    /// - Parameters:
    ///   - method: the method, in any case; `*` for all methods.
    ///   - path: the path, decoded, without the query; with `*` at its end, the prefix of paths.
    public func on(
        _ method: String, _ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line
    ) {
        on(method, path, answers, fileID: fileID, line: line)
    }

    /// Sets the responses in an array; see ``on(_:_:_:fileID:line:)-(_,_,StubbedAnswer...,_,_)``.
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

    /// Forwards all requests to a real server, such as `http://127.0.0.1:8080`, which the test has started.
    ///
    /// The next call of the harness throws ``HarnessMisuseError`` when the address is not an HTTP address.
    public func forward(to server: URL, fileID: String = #fileID, line: Int = #line) {
        if !["http", "https"].contains(server.scheme ?? "") || server.host() == nil {
            note(
                "forward: expected an address such as http://127.0.0.1:8080, got \(server)",
                TestPlace(fileID: fileID, line: line))
        }
        on("*", "*", .server(server))
    }

    /// The requests since the last ``clearRequests()``, in order, with those that had no stub.
    public var requests: [StubbedRequest] { state.withLock { $0.requests } }

    /// Removes the requests so far from ``requests``.
    public func clearRequests() {
        state.withLock { $0.requests = [] }
    }

    /// Returns the response of the matching stub; the runtime calls this.
    ///
    /// - Throws: `BackEndStandInError` when no stub matches, or when the stub threw or returned an invalid status.
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
                .failed("the stub of \(stub.method) \(stub.path) returned the status \(status): expected 100 to 599"))
        }
        return answer
    }

    /// Returns a message for the error of a stub. Swift Testing has already reported a failed `#require`, and the description of its error
    /// is not meant for a reader.
    private static func text(of error: any Error) -> String {
        String(describing: type(of: error)) == "ExpectationFailedError" ? "a requirement in it was not met" : "\(error)"
    }

    private func refuse(_ trouble: UnstubbedRequest) -> BackEndStandInError {
        (HarnessRecorder.current ?? unwatched).note(trouble)
        return BackEndStandInError(trouble.message)
    }

    private func unanswered(_ request: StubbedRequest) -> String {
        let known = state.withLock { $0.stubs.map { "\($0.method) \($0.path)" }.joined(separator: ", ") }
        return "no stub for \(request.method) \(request.path) at the back end of \(adapter); "
            + (known.isEmpty ? "none is set" : "there are: \(known)")
    }
}

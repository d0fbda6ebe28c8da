/// Short forms of ``StubbedBackEnd/on(_:_:fileID:line:_:)`` and ``StubbedBackEnd/on(_:_:_:fileID:line:)-(_,_,StubbedAnswer...,_,_)`` for the
/// usual methods.
extension StubbedBackEnd {
    /// Sets the responses to `GET` requests of this path; see ``on(_:_:_:fileID:line:)-(_,_,StubbedAnswer...,_,_)``.
    public func get(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("GET", path, answers, fileID: fileID, line: line)
    }

    /// Sets the responses to `POST` requests of this path; see ``on(_:_:_:fileID:line:)-(_,_,StubbedAnswer...,_,_)``.
    public func post(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("POST", path, answers, fileID: fileID, line: line)
    }

    /// Sets the responses to `PUT` requests of this path; see ``on(_:_:_:fileID:line:)-(_,_,StubbedAnswer...,_,_)``.
    public func put(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("PUT", path, answers, fileID: fileID, line: line)
    }

    /// Sets the responses to `DELETE` requests of this path; see ``on(_:_:_:fileID:line:)-(_,_,StubbedAnswer...,_,_)``.
    public func delete(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("DELETE", path, answers, fileID: fileID, line: line)
    }

    /// Sets the function that responds to `GET` requests of this path; see ``on(_:_:fileID:line:_:)``.
    public func get(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("GET", path, fileID: fileID, line: line, answer)
    }

    /// Sets the function that responds to `POST` requests of this path; see ``on(_:_:fileID:line:_:)``.
    public func post(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("POST", path, fileID: fileID, line: line, answer)
    }

    /// Sets the function that responds to `PUT` requests of this path; see ``on(_:_:fileID:line:_:)``.
    public func put(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("PUT", path, fileID: fileID, line: line, answer)
    }

    /// Sets the function that responds to `DELETE` requests of this path; see ``on(_:_:fileID:line:_:)``.
    public func delete(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("DELETE", path, fileID: fileID, line: line, answer)
    }
}

/// Answers to the methods that back ends are mostly asked by, as those of ``StubbedBackEnd/on(_:_:_:)-(_,_,Answering)`` and its likes.
extension StubbedBackEnd {
    public func get(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("GET", path, answers, fileID: fileID, line: line)
    }

    public func post(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("POST", path, answers, fileID: fileID, line: line)
    }

    public func put(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("PUT", path, answers, fileID: fileID, line: line)
    }

    public func delete(_ path: String, _ answers: StubbedAnswer..., fileID: String = #fileID, line: Int = #line) {
        on("DELETE", path, answers, fileID: fileID, line: line)
    }

    public func get(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("GET", path, fileID: fileID, line: line, answer)
    }

    public func post(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("POST", path, fileID: fileID, line: line, answer)
    }

    public func put(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("PUT", path, fileID: fileID, line: line, answer)
    }

    public func delete(
        _ path: String, fileID: String = #fileID, line: Int = #line, _ answer: @escaping Answering
    ) {
        on("DELETE", path, fileID: fileID, line: line, answer)
    }
}

/// An error that a harness throws. It names the line of the test that called the harness, because neither Swift Testing nor XCTest
/// reports the line of a thrown error.
public protocol HarnessError: Error, CustomStringConvertible {
    /// The line of the test that called the harness; `nil` when it is not known.
    var place: TestPlace? { get set }
    /// The message, without the line of the test.
    var message: String { get }
}

extension HarnessError {
    /// The line of the test and the message.
    public var description: String { (place.map { "\($0): " } ?? "") + message }
}

/// A line in the source of a test.
public struct TestPlace: Sendable, Hashable, CustomStringConvertible {
    /// The module and the name of the file, as in `#fileID`.
    public let fileID: String
    public let line: Int

    public var description: String { "\(fileID):\(line)" }
}

extension TestPlace {
    /// Runs `body` and adds this line to a ``HarnessError`` that it throws, unless the error has a line already.
    func during<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw placed(error)
        }
    }

    /// Runs `body` and adds this line to its errors; see ``during(_:)-(()asyncthrows->Result)``.
    func during<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw placed(error)
        }
    }

    private func placed(_ error: any Error) -> any Error {
        guard var failure = error as? any HarnessError, failure.place == nil else { return error }
        failure.place = self
        return failure
    }
}

/// An error for a wrong use of a harness, such as a name that the project does not have.
public struct HarnessMisuseError: HarnessError, Hashable {
    public var place: TestPlace?
    public let message: String

    init(_ message: String) {
        self.message = message
    }
}

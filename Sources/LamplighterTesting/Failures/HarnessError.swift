/// An error of a harness. It names the line of the test, since neither Swift Testing nor XCTest reports the line of a thrown error.
public protocol HarnessError: Error, CustomStringConvertible {
    /// Where in the test it came up.
    var place: TestPlace? { get set }
    /// What is wrong, without the place.
    var message: String { get }
}

extension HarnessError {
    public var description: String { (place.map { "\($0): " } ?? "") + message }
}

/// A line of a test.
public struct TestPlace: Sendable, Hashable, CustomStringConvertible {
    /// As `#fileID` says it: the module and the file's name.
    public let fileID: String
    public let line: Int

    public var description: String { "\(fileID):\(line)" }
}

extension TestPlace {
    /// Does what a line of a test asks for, and has failures say which line it was.
    func during<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw placed(error)
        }
    }

    /// As ``during(_:)-(()asyncthrows->Result)``.
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

/// A harness that is used as none can be: with a name that the project does not have, say.
public struct HarnessMisuseError: HarnessError, Hashable {
    public var place: TestPlace?
    public let message: String

    init(_ message: String) {
        self.message = message
    }
}

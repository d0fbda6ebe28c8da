import Core
import Foundation
import PushModel

extension JSONValue {
    /// Reads what a column holds.
    init(stored text: String, in column: String) throws {
        do {
            self = try JSONValue(parsing: text)
        } catch {
            throw StoredValueError(code: .corrupt, reason: "column \(column) does not hold JSON: \(error)")
        }
    }

    /// The text that is stored.
    ///
    /// - Throws: ``StoredValueError`` when it nests so deep that it could not be read back.
    func storedText() throws -> String {
        guard !isNested(deeperThan: Self.maximumDepth) else {
            throw StoredValueError(code: .other, reason: "JSON nested deeper than \(Self.maximumDepth) levels")
        }
        return text
    }

    private func isNested(deeperThan depth: Int) -> Bool {
        switch self {
        case .array(let elements): depth == 0 || elements.contains { $0.isNested(deeperThan: depth - 1) }
        case .object(let object): depth == 0 || object.members.contains { $0.value.isNested(deeperThan: depth - 1) }
        default: false
        }
    }
}

extension UUID {
    /// Lower case, as it goes to the push services.
    var storedText: String { uuidString.lowercased() }
}

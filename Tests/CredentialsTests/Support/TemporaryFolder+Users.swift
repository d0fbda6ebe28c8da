import Foundation
import TestSupport

extension TemporaryFolder {
    /// Writes the file of users anew.
    @discardableResult
    func write(_ text: String) throws -> URL {
        try write(text, to: "users")
    }
}

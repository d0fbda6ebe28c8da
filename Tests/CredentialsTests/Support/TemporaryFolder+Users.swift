import Foundation
import TestSupport

extension TemporaryFolder {
    /// Rewrites the file of users.
    @discardableResult
    func write(_ text: String) throws -> URL {
        try write(text, to: "users")
    }
}

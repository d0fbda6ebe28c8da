import Foundation

/// The program's output.
enum SandboxOutput {
    static func write(_ text: String, toErrors: Bool = false) {
        let handle = toErrors ? FileHandle.standardError : .standardOutput
        try? handle.write(contentsOf: Data(text.utf8))
    }
}

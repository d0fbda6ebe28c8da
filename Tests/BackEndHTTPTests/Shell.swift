import Foundation
import TestSupport

/// Runs a shell script and gives what it printed. Waits without blocking a thread of Swift's pool.
func shell(_ script: String, in folder: URL? = nil) async throws -> [UInt8] {
    let output = FileManager.default.temporaryDirectory.appending(path: "fresh-shell-\(UUID())")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let process = makeProcess()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = folder
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { process in
            if process.terminationStatus == 0 {
                continuation.resume()
            } else {
                continuation.resume(throwing: CocoaError(.executableLoad))
            }
        }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return Array(try Data(contentsOf: output))
}

import Foundation
import TestSupport

/// A shell script that failed.
struct ShellError: Error, CustomStringConvertible {
    let description: String
}

/// Runs a shell script and returns its output.
func shell(_ script: String, in folder: URL? = nil) async throws -> [UInt8] {
    let (output, errors) = (Pipe(), Pipe())
    let process = try ChildProcess("/bin/sh", ["-ec", script], folder: folder, output: output, errors: errors)
    async let bytes = output.fileHandleForReading.allData()
    async let complaint = errors.fileHandleForReading.allText()
    guard await process.exitStatus == 0 else { throw ShellError(description: await complaint) }
    return Array(await bytes)
}

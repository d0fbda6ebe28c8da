import Foundation

/// Shows a line at once, also when the output is no terminal.
@Sendable func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

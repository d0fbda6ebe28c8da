import Foundation
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct FileDescriptorLimitTests {
    @Test("raises the limit of open files to the system's maximum") func raise() throws {
        let limit = try #require(FileDescriptorLimit.raiseLimit())
        let output = Pipe()
        let process = try ChildProcess("/bin/sh", ["-c", "ulimit -n; ulimit -Hn"], output: output)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let limits = text.split(separator: "\n").map { Int($0) ?? Int.max }
        #expect(limits == [limit, limit])
    }
}

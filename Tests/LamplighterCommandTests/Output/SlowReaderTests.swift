import Foundation
import TestSupport
import Testing

@Suite("Readers of a command's output")
struct SlowReaderTests {
    @Test("get all of it, also from a non-blocking pipe", .defaultTimeLimit)
    func notWaiting() async throws {
        let pipe = Pipe()
        let end = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0)
        // F_SETPIPE_SZ, which Swift's import of glibc has not.
        let size = fcntl(end, 1031, 4096)
        let command = try ChildProcess(Command.binary, ["completions", "bash"], output: pipe)
        // Nobody reads until it is full.
        var waiting: Int32 = 0
        while waiting < size {
            #expect(ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting) == 0)
            try Task.checkCancellation()
            await Task.yield()
        }
        let text = await pipe.fileHandleForReading.allText()
        #expect(await command.exitStatus == 0)
        #expect(text == (try await Command.run(["completions", "bash"])).output)
        #expect(text.utf8.count > size)
    }

    @Test("A result that cannot be written is not a success")
    func full() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Command.shell("lamplighter completions bash > /dev/full", in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "lamplighter: the result cannot be written: No space left on device\n")
    }
}

import Foundation
import TestSupport
import Testing

@Suite("fatal signals", .serialized)
struct FatalSignalTests {
    /// This build's program, and in `make test-all` the release build's.
    private static let programs = [Command.binary] + (TestExtent.isFull ? [Command.release] : [])
    private static let signals = [
        (SIGSEGV, "SIGSEGV"), (SIGBUS, "SIGBUS"), (SIGABRT, "SIGABRT"), (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"),
    ]
    private static let environment = ["SWIFT_BACKTRACE": "", "LAMPLIGHTER_CONSOLE_PORT": "0"]

    @Test(
        "a signal from another process ends the server with one line, and the port is free",
        .defaultTimeLimit, arguments: programs, signals)
    func sentSignal(program: String, signal: (number: Int32, name: String)) async throws {
        let project = try makeProject("function run() {}")
        let server = try await ServerProcess([project.path], environment: Self.environment, program: program)
        #expect(await server.end(with: signal.number) == 128 + signal.number)
        #expect(await server.log(with: signal.name).contains("\(signal.name) sent by process \(getpid()) in thread "))
        try await expectFreePort(of: server, project: project, program: program)
    }

    @Test(
        "a fault of the program ends the server with one line, and the port is free",
        .defaultTimeLimit, arguments: programs, signals)
    func fault(program: String, signal: (number: Int32, name: String)) async throws {
        let project = try makeProject("function run() {}")
        let faults = try Self.faultLibrary(in: project)
        let server = try await ServerProcess(
            [project.path],
            environment: Self.environment.merging(["LD_PRELOAD": faults, "FAULT": signal.name]) { $1 },
            program: program)
        #expect(await server.end(with: SIGUSR2) == 128 + signal.number)
        #expect(await server.wholeLog().contains(": \(signal.name) "))
        try await expectFreePort(of: server, project: project, program: program)
    }

    /// Starts another server on the port of `server`, which fails at once if a process still listens there.
    private func expectFreePort(of server: ServerProcess, project: TemporaryFolder, program: String) async throws {
        let port = try #require(URL(string: server.url)?.port)
        let next = try await ServerProcess(
            [project.path, "--port", "\(port)"], environment: Self.environment, program: program)
        #expect(URL(string: next.url)?.port == port)
        #expect(await next.end(with: SIGTERM) == 0)
    }

    /// Returns the path of a library that makes a fault in the program at SIGUSR2, and does so in none of the programs that the program starts.
    private static func faultLibrary(in project: TemporaryFolder) throws -> String {
        let source = project.url.appending(path: "faults.c")
        try Data(
            """
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/mman.h>

            static void fault(int number) {
                const char *name = getenv("FAULT");
                if (!strcmp(name, "SIGSEGV")) *(volatile int *)16 = 0;
                if (!strcmp(name, "SIGBUS")) {
                    char *beyond = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(tmpfile()), 0);
                    (void)*(volatile char *)beyond;
                }
                if (!strcmp(name, "SIGABRT")) abort();
                if (!strcmp(name, "SIGILL")) __builtin_trap();
            #if defined(__x86_64__)
                if (!strcmp(name, "SIGTRAP")) __asm__ volatile("int3");
            #else
                if (!strcmp(name, "SIGTRAP")) __asm__ volatile("brk #1");
            #endif
            }

            __attribute__((constructor)) static void prepare(void) { signal(SIGUSR2, fault); }
            """.utf8
        ).write(to: source)
        let library = project.url.appending(path: "faults.so").path
        let compiler = try Process.run(
            URL(filePath: "/usr/bin/cc"), arguments: ["-shared", "-fPIC", "-O1", "-o", library, source.path])
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        return library
    }
}

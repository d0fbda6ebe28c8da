import Core
public import Foundation
import Glibc
import JavaScriptEngine
import Synchronization

/// A program that a test runs.
///
/// It replaces Foundation's `Process`, which reads past the end of its list of open files if there are more than a thousand, as in the
/// test process, and crashed occasionally.
public final class ChildProcess: Sendable {
    /// An error for a program that did not start.
    public struct StartError: Error, CustomStringConvertible {
        public let description: String
    }

    public let processIdentifier: pid_t
    private let end = End()
    /// The pipes, which stay open as long as this object exists.
    private let pipes: [Pipe]

    /// The end of the process. Its number must not be used afterwards, because the system may assign it to another process.
    private final class End: Sendable {
        let status = Mutex<Int32?>(nil)
        let group = DispatchGroup()
    }

    /// Starts a program. It inherits no open files except the pipes passed here.
    ///
    /// - Parameters:
    ///   - program: the path of the program, or a name to search in `PATH`.
    ///   - environment: variables that are added to the environment of the test process. The locale is English.
    ///   - input: the standard input; empty when `nil`.
    ///   - output: the standard output; discarded when `nil`.
    ///   - errors: the standard error; discarded when `nil`.
    /// - Throws: ``StartError``.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], folder: URL? = nil,
        input: Pipe? = nil, output: Pipe? = nil, errors: Pipe? = nil
    ) throws {
        // This sets an environment variable, which must not happen while the environment is read.
        try? EngineProcess.prepare()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let ends = [input?.fileHandleForReading, output?.fileHandleForWriting, errors?.fileHandleForWriting]
        for (descriptor, end) in ends.enumerated() {
            if let end {
                posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, Int32(descriptor))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", O_RDWR, 0)
            }
        }
        _ = SpawnExtensions.addCloseFrom?(&actions, 3)
        if let folder { _ = SpawnExtensions.addChangeDirectory?(&actions, folder.path) }

        // The child must not inherit which signals the test process blocks or ignores.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // Programs write English, and do not warn of a missing locale, such as one that ssh has set.
        let inherited = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
            .merging(environment) { $1 }
        let (argv, envp) = (Self.list([program] + arguments), Self.list(inherited.map { "\($0.key)=\($0.value)" }))
        defer { (argv + envp).forEach { free($0) } }
        var identifier = pid_t()
        let status = posix_spawnp(&identifier, program, &actions, &attributes, argv, envp)
        guard status == 0 else {
            throw StartError(description: "\(program) did not start: \(String(cString: strerror(status)))")
        }
        // The child has its copies. The readers would not see the end while these are open, too.
        for end in ends { try? end?.close() }
        processIdentifier = identifier
        pipes = [input, output, errors].compactMap { $0 }
        end.group.enter()
        Thread.detachNewThread { [identifier, end] in
            var ended = siginfo_t()
            while waitid(P_PID, id_t(identifier), &ended, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            end.status.withLock { exit in
                var status: Int32 = 0
                while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
                // The number has the form of the shell: the exit status, or 128 plus the signal.
                exit = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            end.group.leave()
        }
    }

    private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// The exit status after the end of the process; 128 plus the signal's number if a signal ended it.
    ///
    /// The end of the test's time limit kills the process.
    public var exitStatus: Int32 {
        get async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    end.group.notify(queue: .global()) { continuation.resume() }
                }
            } onCancel: {
                send(SIGKILL)
            }
            return end.status.withLock { $0 } ?? -1
        }
    }

    /// Blocks the thread until the process has ended and returns ``exitStatus``, for tests that run on a separate thread.
    @discardableResult
    public func waitUntilExit() -> Int32 {
        end.group.wait()
        return end.status.withLock { $0 } ?? -1
    }

    public func send(_ signal: Int32) {
        end.status.withLock { status in
            if status == nil { _ = kill(processIdentifier, signal) }
        }
    }
}

/// The functions of glibc that Swift does not import.
private enum SpawnExtensions {
    typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    typealias AddChangeDirectory =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
        ) -> Int32

    static var addCloseFrom: AddCloseFrom? {
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: AddCloseFrom.self) }
    }
    static var addChangeDirectory: AddChangeDirectory? {
        dlsym(nil, "posix_spawn_file_actions_addchdir_np").map { unsafeBitCast($0, to: AddChangeDirectory.self) }
    }
}

extension FileHandle {
    /// Passes each part of the data to `body`, and an empty string at the end, on a separate thread.
    ///
    /// It replaces a `readabilityHandler`, which occasionally lost the end: if a pipe with a handler is closed and the next pipe gets the
    /// same number, Dispatch does not watch the new one.
    public func readParts(_ body: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Glibc.read(self.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                body(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
                if count <= 0 { return }
            }
        }
    }

    /// Returns all data up to the end, which a separate thread reads.
    public func allData() async -> Data {
        await ThreadPool(name: "pipe", threads: 1).run { self.readDataToEndOfFile() }
    }

    /// Returns all data up to the end as a string.
    public func allText() async -> String {
        String(decoding: await allData(), as: UTF8.self)
    }
}

import Core
public import Foundation
import Glibc
import JavaScriptEngine
import Synchronization

/// A program that a test runs.
///
/// Not Foundation's `Process`: that reads past the end of a list of open files once there are more than a thousand of them,
/// as there are in this test process, and crashed now and then.
public final class ChildProcess: Sendable {
    /// Why a program did not start.
    public struct StartError: Error, CustomStringConvertible {
        public let description: String
    }

    public let processIdentifier: pid_t
    private let end = End()
    /// Kept open for as long as somebody knows the process.
    private let pipes: [Pipe]

    /// Once it has ended, its number may be somebody else's.
    private final class End: Sendable {
        let status = Mutex<Int32?>(nil)
        let group = DispatchGroup()
    }

    /// Starts a program. It inherits no open file but the ones given.
    ///
    /// - Parameters:
    ///   - program: its path, or a name that is looked for in `PATH`.
    ///   - environment: over the test's own, with English.
    ///   - input: what it reads; nothing when `nil`.
    ///   - output: where its standard output goes; nowhere when `nil`.
    ///   - errors: where its standard error goes; nowhere when `nil`.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], folder: URL? = nil,
        input: Pipe? = nil, output: Pipe? = nil, errors: Pipe? = nil
    ) throws {
        // It sets an environment variable, which must not happen while the environment is read.
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

        // Signals that the test process blocks or ignores are none of the child's business.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // Programs speak English, and complain of no locale that is not there, as one that came by ssh.
        let inherited = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
            .merging(environment) { $1 }
        let (argv, envp) = (Self.list([program] + arguments), Self.list(inherited.map { "\($0.key)=\($0.value)" }))
        defer { (argv + envp).forEach { free($0) } }
        var identifier = pid_t()
        let status = posix_spawnp(&identifier, program, &actions, &attributes, argv, envp)
        guard status == 0 else {
            throw StartError(description: "\(program) did not start: \(String(cString: strerror(status)))")
        }
        // The child has them now; as long as they were open here too, nobody would see the end.
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
                // As the shell has it: the exit status, or 128 and the signal.
                exit = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            end.group.leave()
        }
    }

    private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// The exit status once it has ended; 128 and the signal's number when a signal ended it.
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

    /// As ``exitStatus``, for tests that have a thread of their own to wait on.
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

/// What glibc has, but Swift's import of it has not.
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
    /// Gives each part that can be read to `body`, and an empty one at the end, on a thread of its own.
    ///
    /// Not by a `readabilityHandler`, which lost the end now and then: when a pipe is closed while it still has one, and the
    /// next gets the same number, Dispatch takes it for watched already.
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

    /// Everything up to the end, read by a thread of its own.
    public func allData() async -> Data {
        await ThreadPool(name: "pipe", threads: 1).run { self.readDataToEndOfFile() }
    }

    /// Everything up to the end, as text.
    public func allText() async -> String {
        String(decoding: await allData(), as: UTF8.self)
    }
}

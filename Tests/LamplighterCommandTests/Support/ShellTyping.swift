import Foundation
import TestSupport

/// Types into an interactive shell on a separate terminal, as a person does.
enum ShellTyping {
    /// Starts the shell, has it set up, types a line and presses the tabulator, until the wanted string appears.
    ///
    /// Arguments: the set-up, what to type, what to wait for, the shell and its arguments.
    private static let script = """
        import os, pty, select, sys, time
        setup, typed, wanted, shell = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
        process, terminal = pty.fork()
        if process == 0:
            os.environ.update(TERM='xterm', LC_ALL='C.UTF-8')
            os.execvp(shell[0], shell)
        seen = ''
        end = time.monotonic() + 240
        def read_until(text, start):
            global seen
            while text not in seen[start:]:
                ready, _, _ = select.select([terminal], [], [], max(end - time.monotonic(), 0))
                if not ready: return False
                try: part = os.read(terminal, 65536)
                except OSError: return False
                seen += part.decode('utf-8', 'replace')
                # fish asks what the terminal can do, and waits for the answer.
                if b'\\x1b[c' in part or b'\\x1b[0c' in part: os.write(terminal, b'\\x1b[?62c')
            return True
        os.write(terminal, (setup + "; echo REA''DY\\n").encode())
        ok = read_until('READY', 0)
        start = len(seen)
        os.write(terminal, (typed + '\\t').encode())
        ok = ok and read_until(wanted, start)
        print(seen[start:])
        os.kill(process, 9)
        sys.exit(0 if ok else 1)
        """

    /// - Returns: whether the string appeared, and all output.
    static func complete(
        _ typed: String, in shell: [String], setup: String, until wanted: String
    ) async throws -> (isThere: Bool, seen: String) {
        let output = Pipe()
        let process = try ChildProcess("python3", ["-c", script, setup, typed, wanted] + shell, output: output)
        async let seen = output.fileHandleForReading.allText()
        return (await process.exitStatus == 0, await seen)
    }
}

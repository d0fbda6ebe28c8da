import Foundation

/// Reads a password: on a terminal without echo, elsewhere the first line of standard input.
enum PasswordPrompt {
    /// - Throws: ``CommandError`` when there is no password, or when the second one on the terminal differs.
    static func newPassword() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let password = try hidden("Password: ")
        guard try hidden("Again: ") == password else { throw CommandError(description: "the passwords differ") }
        return password
    }

    private static func hidden(_ prompt: String) throws -> String {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        FileHandle.standardError.write(Data(prompt.utf8))
        return try line()
    }

    private static func line() throws -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandError(description: "expected a password on the first line of standard input")
        }
        return line
    }
}

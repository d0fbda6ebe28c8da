import Core
import Foundation
import Logging
import Management

/// Writes the log, a line to an event: time, level, adapter, message, and what else is known.
///
///     2026-11-21T07:12:13.123Z info    PushAdapter: submitNotification >> bjones
struct ConsoleLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let output: LogOutput

    /// - Parameter provider: adds fields to each line.
    init(level: Logger.Level, output: LogOutput = LogOutput(), provider: Logger.MetadataProvider? = nil) {
        logLevel = level
        self.output = output
        metadataProvider = provider
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let given = event.metadata { fields.merge(given) { $1 } }
        let adapter = fields.removeValue(forKey: "adapter")
        output.write(
            LogLine(
                time: Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), level: event.level,
                adapter: adapter.map { "\($0)" }, message: "\(event.message)", metadata: fields.mapValues { "\($0)" },
                numbers: Set(fields.filter { $0.value.isNumber }.keys)))
    }
}

extension Logger.MetadataValue {
    fileprivate var isNumber: Bool {
        guard case .stringConvertible(let value) = self else { return false }
        return value is any BinaryInteger || value is any BinaryFloatingPoint
    }
}

/// The destination and the form of the log's lines: standard error or a file, and a server's ``LogBuffer``.
struct LogOutput: Sendable {
    private static let hasColours = Terminal.hasColours(STDERR_FILENO)

    var isJSON = CommandOutput.isJSON
    /// `nil` for standard error.
    var file: LogFile?
    var book: LogBuffer?
    var redactor = SecretRedactor(secrets: [])

    /// Writes a line without the secrets of the settings. A line that the file does not take goes to standard error.
    func write(_ line: LogLine) {
        let line = redactor.redacted(line)
        if let file {
            if let failure = file.write(text(line, inColour: false)) {
                if failure.isFirst { writeToStandardError(report(failure, of: file, at: line.time)) }
                writeToStandardError(line)
            }
        } else {
            writeToStandardError(line)
        }
        // Last, so that a line in the buffer is in the file, too.
        book?.append(line)
    }

    private func report(_ failure: LogFile.WriteFailure, of file: LogFile, at time: String) -> LogLine {
        LogLine(
            time: time, level: .error,
            message:
                "log.file '\(file.path)': the file cannot be written: \(failure.reason); lines go to standard error "
                + "until it can")
    }

    private func writeToStandardError(_ line: LogLine) {
        StandardError.write(text(line, inColour: Self.hasColours))
    }

    private func text(_ line: LogLine, inColour: Bool) -> String {
        // Control characters of a terminal are escaped as JSON does it.
        if isJSON { return line.json.text.printable }
        let colour = inColour ? Terminal.Colour(line.level) : nil
        return line.text { colour?.paint($0) ?? $0 }
    }
}

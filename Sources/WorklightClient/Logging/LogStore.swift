import Foundation
import Synchronization

/// The settings and the log file of ``OCLogger``. It may be used from any thread.
final class LogStore: Sendable {
    static let shared = LogStore(folder: nil)
    /// The minimum of the file's maximum size, in bytes (seed 004, 2.11.7).
    static let leastMaximum = 10_000

    private struct State: Sendable {
        var level = OCLogger_DEBUG
        var isCapturing = true
        var maximum = 100_000
        var folder: URL
        var loggers: [String: OCLogger] = [:]
        var isSending = false
    }

    private let state: Mutex<State>

    init(folder: URL?) {
        let manager = FileManager.default
        let base =
            manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? manager.temporaryDirectory
        state = Mutex(State(folder: folder ?? base.appendingPathComponent("WorklightClient")))
    }

    var level: OCLogType {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    var isCapturing: Bool {
        get { state.withLock { $0.isCapturing } }
        set { state.withLock { $0.isCapturing = newValue } }
    }

    /// The file's maximum size in bytes. A smaller number than ``leastMaximum`` becomes this minimum.
    var maximum: Int {
        get { state.withLock { $0.maximum } }
        set { state.withLock { $0.maximum = max(newValue, Self.leastMaximum) } }
    }

    var folder: URL {
        get { state.withLock { $0.folder } }
        set { state.withLock { $0.folder = newValue } }
    }

    func logger(_ package: String) -> OCLogger {
        state.withLock { state in
            if let logger = state.loggers[package] { return logger }
            let logger = OCLogger(package: package, store: self)
            state.loggers[package] = logger
            return logger
        }
    }

    // MARK: Writing

    /// Prints a message, and appends it to the file unless the file would exceed its maximum size.
    func write(_ level: OCLogType, package: String, message: String, metadata: [AnyHashable: Any]?) {
        guard level.passes(self.level) else { return }
        let extra = metadata.flatMap(Self.json)
        NSLog("%@", "[\(level.name)] [\(package)] \(message)\(extra.map { " \($0)" } ?? "")")
        state.withLock { state in
            guard state.isCapturing else { return }
            let entry = Self.entry(level, package, message, extra)
            append(Array("\(entry),".utf8), state)
        }
    }

    private func append(_ bytes: [UInt8], _ state: State) {
        let file = Self.file(in: state.folder)
        try? FileManager.default.createDirectory(at: state.folder, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: file.path) {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let handle = try? FileHandle(forWritingTo: file) else { return }
        defer { try? handle.close() }
        guard let end = try? handle.seekToEnd(), Int(end) + bytes.count <= state.maximum else { return }
        try? handle.write(contentsOf: Data(bytes))
    }

    private static func file(in folder: URL) -> URL { folder.appendingPathComponent("wl.log") }

    /// Returns the JSON object of a message (wire-protocol 7).
    private static func entry(_ level: OCLogType, _ package: String, _ message: String, _ metadata: String?) -> String {
        func quoted(_ text: String) -> String { JSONText.text(of: text) ?? "\"\"" }
        return "{\"timestamp\":\(quoted(timestamp(Date()))),\"level\":\"\(level.name)\",\"pkg\":\(quoted(package)),"
            + "\"msg\":\(quoted(message)),\"threadid\":\"\(Thread.isMainThread ? "main" : "background")\","
            + "\"metadata\":\(metadata ?? "{}")}"
    }

    /// Returns a time as `dd-MM-yyyy HH:mm:ss:S` in GMT; the milliseconds are not padded.
    static func timestamp(_ date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded(.down))
        let (days, time) = (milliseconds.quotient(by: 86_400_000), milliseconds.remainder(by: 86_400_000))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let parts = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(parts.day ?? 0))-\(padded(parts.month ?? 0))-\(padded(parts.year ?? 0, 4)) "
            + "\(padded(time / 3_600_000)):\(padded(time / 60_000 % 60)):\(padded(time / 1000 % 60)):\(time % 1000)"
    }

    /// Returns metadata as a JSON object. A value that JSON cannot represent becomes its description.
    private static func json(_ metadata: [AnyHashable: Any]) -> String? {
        let pairs = metadata.map { ("\($0.key.base)", JSONText.text(of: $0.value) == nil ? "\($0.value)" : $0.value) }
        return JSONText.text(of: Dictionary(pairs) { first, _ in first })
    }

    // MARK: Sending

    /// Returns the contents of the file, for one sender at a time; `nil` when it is empty, or another sender has it.
    func beginSending() -> String? {
        state.withLock { state in
            guard !state.isSending, let data = try? Data(contentsOf: Self.file(in: state.folder)), !data.isEmpty else {
                return nil
            }
            state.isSending = true
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Ends the sending and removes the accepted part from the file.
    ///
    /// - Parameter sent: the part that the server accepted; `nil` when it accepted none.
    func endSending(_ sent: String?) {
        state.withLock { state in
            state.isSending = false
            guard let sent else { return }
            let file = Self.file(in: state.folder)
            let rest = (try? Data(contentsOf: file))?.dropFirst(sent.utf8.count) ?? Data()
            try? Data(rest).write(to: file, options: .atomic)
        }
    }
}

extension Int {
    /// Returns the quotient, rounded down also below zero.
    fileprivate func quotient(by divisor: Int) -> Int { (self - remainder(by: divisor)) / divisor }

    fileprivate func remainder(by divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

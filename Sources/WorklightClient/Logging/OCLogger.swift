// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation
import Synchronization

/// Logs to a file on the device, which the application can send to the server (seed 004, 2.11). It may be used from any thread.
///
/// ```swift
/// OCLogger.setLevel(OCLogger_INFO)
/// OCLogger.getInstanceWithPackage("shop.cart").info("the cart has 3 items")
/// OCLogger.send()
/// ```
public final class OCLogger: NSObject, Sendable {
    let package: String
    private let store: LogStore
    private static let sender = Mutex<WLClient?>(nil)

    init(package: String, store: LogStore) {
        self.package = package
        self.store = store
        super.init()
    }

    /// Returns the logger of a package, always the same one for the same name (2.11.1).
    public class func getInstanceWithPackage(_ package: String!) -> OCLogger! {
        LogStore.shared.logger(package ?? "")
    }

    /// Sets the least severe level that is printed and written to the file (2.11.2). For example, ``OCLogger_INFO`` logs information,
    /// warnings and errors.
    public class func setLevel(_ level: OCLogType) { LogStore.shared.level = level }

    /// Returns the level, ``OCLogger_DEBUG`` by default (2.11.3).
    public class func getLevel() -> OCLogType { LogStore.shared.level }

    /// Turns the log file on or off (2.11.5).
    public class func setCapture(_ flag: Bool) { LogStore.shared.isCapturing = flag }

    /// Returns whether messages are written to the log file, true by default (2.11.6).
    public class func getCapture() -> Bool { LogStore.shared.isCapturing }

    /// Sets the file's maximum size (2.11.7). A message that would exceed it is printed, but not written to the file.
    ///
    /// - Parameter bytes: the maximum size in bytes; a number below 10,000 becomes 10,000.
    public class func setMaxFileSize(_ bytes: Int32) { LogStore.shared.maximum = Int(bytes) }

    /// Returns the file's maximum size in bytes, 100,000 by default (2.11.8).
    public class func getMaxFileSize() -> Int32 { Int32(clamping: LogStore.shared.maximum) }

    /// Sends the file to the server unless it is empty, and deletes the sent part (2.11.4). After a failure, the file is unchanged
    /// and can be sent again.
    public class func send() {
        Task {
            do {
                _ = try await upload()
            } catch {
                LogStore.shared.write(
                    .warn, package: "wl.logger", message: "the log was not sent: \(error)", metadata: nil)
            }
        }
    }

    /// Sends the file to the server and waits for the result; see ``send()``. This function is an extension; the original does not have it.
    ///
    /// - Returns: true if the server accepted the log; false if the file is empty, or another call is sending it.
    /// - Throws: ``WLError``.
    public class func upload() async throws -> Bool {
        guard let text = LogStore.shared.beginSending() else { return false }
        do {
            try await (client ?? WLClient.sharedInstance()).core().upload(log: text)
            LogStore.shared.endSending(text)
            return true
        } catch {
            LogStore.shared.endSending(nil)
            throw error
        }
    }

    /// The client whose server gets the log; `nil`, the default, for the shared client. This property is an extension; the original does not
    /// have it.
    public class var client: WLClient? {
        get { sender.withLock { $0 } }
        set { sender.withLock { $0 = newValue } }
    }

    /// The folder of the file `wl.log`, by default in Application Support. This property is an extension; the original does not have it.
    public class var folder: URL {
        get { LogStore.shared.folder }
        set { LogStore.shared.folder = newValue }
    }

    // MARK: Messages

    /// Logs at the level INFO (2.11.9).
    public func info(_ message: String!) { write(OCLogger_INFO, message) }
    /// Logs at the level DEBUG (2.11.10).
    public func debug(_ message: String!) { write(OCLogger_DEBUG, message) }
    /// Logs at the level ERROR (2.11.11).
    public func error(_ message: String!) { write(OCLogger_ERROR, message) }
    /// Logs at the level LOG (2.11.12).
    public func log(_ message: String!) { write(OCLogger_LOG, message) }
    /// Logs at the level WARN (2.11.13).
    public func warn(_ message: String!) { write(OCLogger_WARN, message) }

    // Swift does not import methods with C's variable arguments. The following methods replace them.

    /// Logs at the level INFO, with metadata and a format's arguments (2.11.9).
    public func metadata(_ metadata: [AnyHashable: Any]!, info text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_INFO, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level DEBUG, with metadata and a format's arguments (2.11.10).
    public func metadata(_ metadata: [AnyHashable: Any]!, debug text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_DEBUG, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level ERROR, with metadata and a format's arguments (2.11.11).
    public func metadata(_ metadata: [AnyHashable: Any]!, error text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_ERROR, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level LOG, with metadata and a format's arguments (2.11.12).
    public func metadata(_ metadata: [AnyHashable: Any]!, log text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_LOG, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level WARN, with metadata and a format's arguments (2.11.13).
    public func metadata(_ metadata: [AnyHashable: Any]!, warn text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_WARN, Self.formatted(text, arguments), metadata)
    }

    private func write(_ level: OCLogType, _ message: String?, _ metadata: [AnyHashable: Any]? = nil) {
        store.write(level, package: package, message: message ?? "", metadata: metadata)
    }

    /// Returns the formatted message. A message without arguments is not a format: it may contain a percent sign.
    private static func formatted(_ text: String?, _ arguments: [any CVarArg]) -> String {
        guard let text, !arguments.isEmpty else { return text ?? "" }
        return String(format: text, arguments: arguments)
    }
}

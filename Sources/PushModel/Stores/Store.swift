import Core
import Foundation

/// All that a server keeps, but what clients log.
///
/// Blocks while it waits for its disk or its database, so tasks call it on a thread that may (`runBlocking`, ``ThreadPool``).
public protocol Store: ActivityStore, ApplicationRuleStore, DeviceBlockStore, DirectoryStore, GuestStore,
    ManagementStore, MessageStore, MovedRecordStore, OAuthClientStore, PollStore, PreferenceStore, RegistrationStore,
    SMSSubscriptionStore, SubscriptionStore
{
    /// Keeps the deliveries.
    var outbox: any BroadcastStore & DeliveryHistory & Outbox { get }
}

/// The reason why an operation of the store failed: the event, the file or server, and the remedy.
public struct StoreError: Error, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another process holds the database, and did not release it in time.
        case locked
        /// The database or its folder cannot be written.
        case readOnly
        /// No room is left on the disk.
        case diskFull
        /// The file is not a database, or is damaged.
        case corrupt
        /// The file was written by a later Lamplighter.
        case newerSchema
        /// The file was written by an earlier build, whose tables this one does not read.
        case olderSchema
        /// It cannot be opened at all.
        case cannotOpen
        /// Anything else; the message is the engine's.
        case other
    }

    public let code: Code
    /// The file or server.
    public let location: String
    /// The description of the error, in the words of the database or the system.
    public let reason: String
    /// The remedy for the operator.
    public let advice: String

    /// - Parameter advice: `nil` for that of a file.
    public init(_ code: Code, location: String, reason: String, advice: String? = nil) {
        self.code = code
        self.location = location
        self.reason = reason
        self.advice = advice ?? Self.advice(code)
    }

    private static func advice(_ code: Code) -> String {
        switch code {
        case .locked: "another process is using the database; stop it, or wait until it is done"
        case .readOnly:
            "grant this user write permission on the file and its folder, or choose another folder with --data"
        case .diskFull: "free some space on that disk; everything accepted so far is kept"
        case .corrupt: "restore the file from a backup, or move it away to start with an empty store"
        case .newerSchema: "run the version of Lamplighter that wrote it, or a later one"
        case .olderSchema:
            "run the build that wrote it, or move the file away, with the two beside it that end in -wal and -shm, to start "
                + "with an empty one"
        case .cannotOpen: "check that the folder exists and that this user may write there"
        case .other: "see the reason given"
        }
    }

    public var description: String { "\(location): \(reason) — \(advice)" }
}

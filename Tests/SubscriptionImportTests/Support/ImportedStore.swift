import Foundation
import PushModel
import Storage
import TestSupport

@testable import SubscriptionImport

/// A store, and files that are imported to it.
struct ImportedStore {
    let folder: TemporaryFolder
    let store: SQLStore

    static let target = ImportTarget(
        applications: ["Shop": ["news", "offers"], "Other": []],
        adapters: ["PushAdapter": ["Orders"], "SMS": ["Alerts"]])

    init(_ files: [String: String] = [:]) throws {
        folder = try TemporaryFolder(files)
        store = try SQLStore(folder: folder.path)
    }

    func open(_ names: String...) throws -> SubscriptionImport {
        try SubscriptionImport(names.map { URL(fileURLWithPath: folder.path($0)) }, target: Self.target) { _, _ in }
    }

    /// Imports files in the own columns.
    @discardableResult
    func run(_ name: String, isDry: Bool = false) throws -> SubscriptionImportReport {
        let imported = try open(name)
        guard let mapping = imported.ownMappings?.first else {
            throw SubscriptionImportError(name, "the columns are not the own ones")
        }
        return try imported.run(mapping, named: "", into: isDry ? nil : store) { _ in }
    }

    /// Each subscription as `USER at DEVICE/APPLICATION for EVENTSOURCE`.
    var subscriptions: [String] {
        get throws {
            try store.deviceSubscriptions(matching: SubscriptionFilter()).map {
                "\($0.userID) at \($0.deviceID)/\($0.applicationID) for \($0.eventSource)"
            }
        }
    }

    static func token(_ name: String) throws -> String { try DeviceToken(exampleOf: name, platform: .apple).value }

    /// A token in the form of FCM's.
    static func androidToken(_ name: String) throws -> String {
        "\(name):APA91b" + String(repeating: "x", count: 130)
    }
}

import GRDB
import PushModel

/// The tables, and how files of earlier versions get them.
///
/// Times are REAL, in seconds since 1970-01-01 UTC. JSON is TEXT. A migration that was released is never changed; what
/// comes later goes into a new one.
enum Schema {
    /// Runs the migrations that the file lacks.
    ///
    /// - Throws: ``StoredValueError`` when the file has migrations that this version does not know, `DatabaseError`.
    static func bringUpToDate(_ file: some DatabaseWriter) throws {
        while true {
            let known = try file.read { database in
                guard try !migrator.hasBeenSuperseded(database) else {
                    throw StoredValueError(code: .newerSchema, reason: "the file was written by a later Lamplighter")
                }
                return try migrator.appliedIdentifiers(database).count
            }
            do {
                return try migrator.migrate(file)
            } catch {
                // Another process may have run the same migration first. Then look again at what is left.
                let now = try file.read { try migrator.appliedIdentifiers($0).count }
                guard now > known else { throw error }
            }
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 subscriptions") { try $0.execute(sql: subscriptions) }
        migrator.registerMigration("1 outbox") { try $0.execute(sql: firstOutbox) }
        migrator.registerMigration("1 polls") { try $0.execute(sql: polls) }
        migrator.registerMigration("2 registrations") { try $0.execute(sql: registrations) }
        migrator.registerMigration("2 SMS") { try $0.execute(sql: sms) }
        migrator.registerMigration("2 broadcasts") { try $0.execute(sql: broadcasts) }
        migrator.registerMigration("2 delivery targets") { try $0.execute(sql: deliveryTargets) }
        migrator.registerMigration("3 clients") { try $0.execute(sql: clients) }
        migrator.registerMigration("4 outbox") { try outbox($0) }
        migrator.registerMigration("4 confirmed tokens") { try $0.execute(sql: confirmedTokens) }
        migrator.registerMigration("4 OAuth clients") { try $0.execute(sql: clientsByDevice) }
        migrator.registerMigration("5 guests") { try $0.execute(sql: guests) }
        migrator.registerMigration("5 owed callbacks") { try $0.execute(sql: owedCallbacks) }
        migrator.registerMigration("5 device owners") { try $0.execute(sql: deviceOwners) }
        migrator.registerMigration("6 users' realms") { try $0.execute(sql: userRealms) }
        migrator.registerMigration("6 messages for users") { try $0.execute(sql: messagesForUsers) }
        migrator.registerMigration("6 missing adapters") { try $0.execute(sql: missingAdapters) }
        return migrator
    }

    private static let subscriptions = """
        CREATE TABLE user_subscription (
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            user_id TEXT NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (adapter, event_source, user_id)
        ) STRICT;

        CREATE TABLE device_subscription (
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            user_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            application_id TEXT NOT NULL,
            alias TEXT NOT NULL,
            platform TEXT NOT NULL,
            token TEXT NOT NULL,
            options TEXT NOT NULL,
            PRIMARY KEY (adapter, event_source, user_id, device_id, application_id),
            FOREIGN KEY (adapter, event_source, user_id) REFERENCES user_subscription
        ) STRICT;
        CREATE INDEX device_subscription_by_user ON device_subscription (user_id);
        CREATE INDEX device_subscription_by_device ON device_subscription (device_id, application_id);
        CREATE INDEX device_subscription_by_application ON device_subscription (application_id);
        CREATE INDEX device_subscription_by_token ON device_subscription (token);
        """

    /// The columns from `adapter` to `subscription_options` are the subscription as it was when `notify*` was called.
    /// `delivery_waiting` holds only what still waits, so that finding what is due costs the same after a million
    /// deliveries.
    private static let firstOutbox = """
        CREATE TABLE notification (
            id TEXT NOT NULL PRIMARY KEY,
            options TEXT NOT NULL
        ) STRICT;

        CREATE TABLE delivery (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            notification_id TEXT NOT NULL REFERENCES notification,
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            user_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            application_id TEXT NOT NULL,
            alias TEXT NOT NULL,
            platform TEXT NOT NULL,
            token TEXT NOT NULL,
            subscription_options TEXT NOT NULL,
            created_at REAL NOT NULL,
            expires_at REAL NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            due REAL NOT NULL,
            worker TEXT,
            ended_at REAL,
            reason TEXT,
            requests TEXT
        ) STRICT;
        CREATE INDEX delivery_waiting ON delivery (due, created_at) WHERE state IN ('pending', 'claimed');
        CREATE INDEX delivery_ended ON delivery (ended_at) WHERE ended_at IS NOT NULL;
        CREATE INDEX delivery_by_state ON delivery (state, created_at);
        CREATE INDEX delivery_by_age ON delivery (created_at);
        CREATE INDEX delivery_by_notification ON delivery (notification_id);

        -- Written to have what was written before it on the disk.
        CREATE TABLE flush_mark (number INTEGER NOT NULL) STRICT;
        INSERT INTO flush_mark VALUES (0);
        """

    private static let polls = """
        CREATE TABLE poll (
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            interval REAL NOT NULL,
            last_ended REAL,
            next_due REAL NOT NULL,
            consecutive_failures INTEGER NOT NULL,
            PRIMARY KEY (adapter, event_source)
        ) STRICT;
        """
}

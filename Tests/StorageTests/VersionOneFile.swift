import Foundation
import GRDB

extension TemporaryFolder {
    /// Makes a file as the first version of the tables left it, and fills it with `rows`.
    func writeVersionOne(_ rows: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.run("PRAGMA journal_mode = WAL")
        try queue.run(versionOne)
        try queue.run(rows)
        try queue.close()
    }
}

/// The text of the first version, kept as it was: files made from it are out there.
private let versionOne = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('1 subscriptions'), ('1 outbox'), ('1 polls');

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

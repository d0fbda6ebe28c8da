import Foundation
import GRDB

extension TemporaryFolder {
    /// Makes a file as the second version of the tables left it, and fills it with `rows`.
    func writeVersionTwo(_ rows: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.run("PRAGMA journal_mode = WAL")
        try queue.run(versionTwo)
        try queue.run(rows)
        try queue.close()
    }
}

/// What stood in a file of the second version, kept as it was: such files are out there.
private let versionTwo = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES
        ('1 subscriptions'), ('1 outbox'), ('1 polls'), ('2 registrations'), ('2 SMS'), ('2 broadcasts'),
        ('2 delivery targets');

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

    CREATE TABLE flush_mark (number INTEGER NOT NULL) STRICT;

    CREATE TABLE poll (
        adapter TEXT NOT NULL,
        event_source TEXT NOT NULL,
        interval REAL NOT NULL,
        last_ended REAL,
        next_due REAL NOT NULL,
        consecutive_failures INTEGER NOT NULL,
        PRIMARY KEY (adapter, event_source)
    ) STRICT;

    CREATE TABLE device_registration (
        application_id TEXT NOT NULL,
        device_id TEXT NOT NULL,
        user_id TEXT,
        platform TEXT NOT NULL,
        token TEXT NOT NULL,
        PRIMARY KEY (application_id, device_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_registration_by_user ON device_registration (application_id, user_id, device_id);
    CREATE INDEX device_registration_by_platform ON device_registration (application_id, platform, device_id);

    CREATE TABLE tag_subscription (
        application_id TEXT NOT NULL,
        tag TEXT NOT NULL,
        device_id TEXT NOT NULL,
        PRIMARY KEY (application_id, tag, device_id),
        FOREIGN KEY (application_id, device_id) REFERENCES device_registration ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tag_subscription_by_device ON tag_subscription (application_id, device_id);

    CREATE TABLE sms_subscription (
        adapter TEXT NOT NULL,
        event_source TEXT NOT NULL,
        digits TEXT NOT NULL,
        phone_number TEXT NOT NULL,
        gateway_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        alias TEXT,
        application_id TEXT,
        PRIMARY KEY (adapter, event_source, digits),
        FOREIGN KEY (adapter, event_source, user_id) REFERENCES user_subscription
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sms_subscription_by_user ON sms_subscription (user_id, adapter, event_source);

    CREATE TABLE broadcast (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        application_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        options TEXT NOT NULL,
        created_at REAL NOT NULL,
        expires_at REAL NOT NULL,
        part INTEGER NOT NULL,
        after_device TEXT
    ) STRICT;

    CREATE TABLE broadcast_part (
        broadcast_id TEXT NOT NULL REFERENCES broadcast (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (broadcast_id, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE "delivery" (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        notification_id TEXT NOT NULL REFERENCES notification,
        target TEXT NOT NULL,
        platform TEXT NOT NULL,
        adapter TEXT,
        event_source TEXT,
        user_id TEXT,
        device_id TEXT,
        application_id TEXT,
        alias TEXT,
        tag TEXT,
        token TEXT,
        phone_number TEXT,
        gateway_id TEXT,
        subscription_options TEXT,
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

    INSERT INTO flush_mark VALUES (0);
    """

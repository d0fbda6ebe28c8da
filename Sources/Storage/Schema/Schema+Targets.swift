/// What version 2 of the tables brings: devices, tags and phone numbers beside subscriptions to event sources.
extension Schema {
    /// Every device that has a subscription is registered, with what its latest subscription says.
    static let registrations = """
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

        INSERT INTO device_registration (application_id, device_id, user_id, platform, token)
        SELECT application_id, device_id, user_id, platform, token FROM device_subscription
        WHERE rowid IN (SELECT max(rowid) FROM device_subscription GROUP BY application_id, device_id);
        INSERT INTO tag_subscription (application_id, tag, device_id)
        SELECT application_id, 'Push.ALL', device_id FROM device_registration;
        """

    static let sms = """
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
        """

    /// A broadcast stands here until it has become deliveries. `part` and `after_device` say how far it has come.
    static let broadcasts = """
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
        """

    /// The deliveries again, now to any target. The columns from `target` to `subscription_options` are the target as it
    /// was when the delivery was made; which of them are filled depends on `target`.
    static let deliveryTargets = """
        CREATE TABLE delivery_2 (
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

        INSERT INTO delivery_2 (
            seq, id, notification_id, target, platform, adapter, event_source, user_id, device_id, application_id, alias,
            token, subscription_options, created_at, expires_at, state, attempts, due, worker, ended_at, reason, requests
        )
        SELECT
            seq, id, notification_id, 'subscription', platform, adapter, event_source, user_id, device_id,
            application_id, alias, token, subscription_options, created_at, expires_at, state, attempts, due, worker,
            ended_at, reason, requests
        FROM delivery;
        DROP TABLE delivery;
        ALTER TABLE delivery_2 RENAME TO delivery;

        CREATE INDEX delivery_waiting ON delivery (due, created_at) WHERE state IN ('pending', 'claimed');
        CREATE INDEX delivery_ended ON delivery (ended_at) WHERE ended_at IS NOT NULL;
        CREATE INDEX delivery_by_state ON delivery (state, created_at);
        CREATE INDEX delivery_by_age ON delivery (created_at);
        CREATE INDEX delivery_by_notification ON delivery (notification_id);
        """
}

extension Schema {
    /// Subscriptions to event sources, by device and by phone number; devices and tags; polls; owed callbacks.
    ///
    /// - `user_realm` is NULL for clients without a login, and for users that operators and back ends name.
    /// - Every device that has a subscription is in `device_registration`, with the values of its latest subscription.
    ///   `confirmed_at` is the last time at which the device sent its token. `client_id` is the client that registered the
    ///   device last; NULL for devices that an operator subscribed. `has_checked_user` is 1 once a user with a checked login has
    ///   registered the device or subscribed on it.
    /// - `owed_callback` has a row from the change of subscriptions that causes the callback until the callback has run. The
    ///   subscription's columns hold the subscription at the time of the change; `is_edge` says whether the device was the
    ///   user's first or last.
    /// - `poll_lease` has one row at most: which server runs the polls, and until when; see ``PollLease``.
    /// - `guest_network` and `guest_bytes` say where a client without a user made the row from, and about how much it takes;
    ///   NULL for all others. The empty network is this machine.
    static let subscriptions = """
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
            user_realm TEXT,
            guest_network TEXT,
            guest_bytes INTEGER,
            PRIMARY KEY (adapter, event_source, user_id, device_id, application_id),
            FOREIGN KEY (adapter, event_source, user_id) REFERENCES user_subscription
        ) STRICT;
        CREATE INDEX device_subscription_by_user ON device_subscription (user_id);
        CREATE INDEX device_subscription_by_device ON device_subscription (device_id, application_id);
        CREATE INDEX device_subscription_by_application ON device_subscription (application_id);
        CREATE INDEX device_subscription_by_token ON device_subscription (token);
        CREATE INDEX device_subscription_of_guests ON device_subscription (guest_network, guest_bytes)
        WHERE guest_network IS NOT NULL;

        CREATE TABLE device_registration (
            application_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            user_id TEXT,
            platform TEXT NOT NULL,
            token TEXT NOT NULL,
            confirmed_at REAL,
            client_id TEXT,
            user_realm TEXT,
            guest_network TEXT,
            guest_bytes INTEGER,
            has_checked_user INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (application_id, device_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_registration_by_user ON device_registration (application_id, user_id, device_id);
        CREATE INDEX device_registration_by_platform ON device_registration (application_id, platform, device_id);
        CREATE INDEX device_registration_by_client ON device_registration (application_id, client_id, device_id);
        CREATE INDEX device_registration_by_token ON device_registration (application_id, token);
        CREATE INDEX device_registration_of_guests ON device_registration (guest_network, guest_bytes)
        WHERE guest_network IS NOT NULL;

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
            user_realm TEXT,
            guest_network TEXT,
            guest_bytes INTEGER,
            PRIMARY KEY (adapter, event_source, digits),
            FOREIGN KEY (adapter, event_source, user_id) REFERENCES user_subscription
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sms_subscription_by_user ON sms_subscription (user_id, adapter, event_source);
        CREATE INDEX sms_subscription_of_guests ON sms_subscription (guest_network, guest_bytes)
        WHERE guest_network IS NOT NULL;

        CREATE TABLE poll (
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            interval REAL NOT NULL,
            last_ended REAL,
            next_due REAL NOT NULL,
            consecutive_failures INTEGER NOT NULL,
            PRIMARY KEY (adapter, event_source)
        ) STRICT;

        CREATE TABLE poll_lease (
            holder TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            ends_at REAL NOT NULL
        ) STRICT;

        CREATE TABLE owed_callback (
            seq INTEGER PRIMARY KEY,
            change TEXT NOT NULL,
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            user_id TEXT NOT NULL,
            user_state TEXT NOT NULL,
            device_id TEXT NOT NULL,
            application_id TEXT NOT NULL,
            alias TEXT NOT NULL,
            platform TEXT NOT NULL,
            token TEXT NOT NULL,
            options TEXT NOT NULL,
            is_edge INTEGER NOT NULL,
            UNIQUE (change, number)
        ) STRICT;
        CREATE INDEX owed_callback_by_user ON owed_callback (adapter, event_source, user_id);
        """
}

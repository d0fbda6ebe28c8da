extension Schema {
    /// The outbox. Rows of `delivery` never change. The state of a delivery follows from the other tables:
    ///
    /// - It has ended if `delivery_end` has it.
    /// - It has begun if `delivery_progress` has it: `worker` holds it until `due`, or it is retried at `due`, or, without
    ///   `due`, it waits for an earlier one of its lane to end. A lane is a device, as a number (`OrderingKey`); one delivery of each
    ///   lane is sent at a time. `due_set_at` is the time at which `due` was set.
    /// - Otherwise no worker has seen it. Of each channel (`DeliveryChannel`, a row of ``create(in:)``) these are the ones behind `cursor`, without
    ///   those that began elsewhere (`begun`); so queueing one writes only its own row.
    ///
    /// Numbers (`seq`) are assigned in order and never reused; the last is in `outbox`, with the count of each state.
    /// `notification.deliveries` counts the rows that refer to it. Columns of the target are NULL where a target has none.
    /// `is_for_user` is 1 for a message that `sendMessage` addressed to a user. `broadcast` has a row until the broadcast has
    /// become deliveries; `part` and `after_device` are its progress. `failures` has the newest failed attempts as JSON, and is
    /// NULL without any (`DeliveryFailure`). `flush_mark` is written to bring all earlier
    /// writes to the disk.
    static let outbox = """
        CREATE TABLE notification (
            seq INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            adapter TEXT,
            event_source TEXT,
            created_at REAL NOT NULL,
            expires_at REAL NOT NULL,
            deliveries INTEGER NOT NULL,
            options TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notification_by_id ON notification (id);
        CREATE INDEX notification_by_time ON notification (created_at);

        CREATE TABLE delivery (
            seq INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            notification INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            begun INTEGER NOT NULL,
            user_id TEXT,
            device_id TEXT,
            application_id TEXT,
            alias TEXT,
            tag TEXT,
            token TEXT,
            phone_number TEXT,
            gateway_id TEXT,
            subscription_options TEXT,
            is_for_user INTEGER
        ) STRICT;

        CREATE INDEX delivery_by_notification ON delivery (notification);
        CREATE INDEX delivery_by_user ON delivery (user_id);
        CREATE INDEX delivery_by_device ON delivery (device_id);

        CREATE TABLE delivery_progress (
            seq INTEGER PRIMARY KEY,
            lane INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            due REAL,
            due_set_at REAL NOT NULL,
            worker TEXT,
            reason TEXT,
            requests TEXT,
            failures TEXT
        ) STRICT;
        CREATE INDEX delivery_progress_by_lane ON delivery_progress (lane);
        CREATE INDEX delivery_progress_due ON delivery_progress (channel, due) WHERE due IS NOT NULL;

        CREATE TABLE delivery_end (
            seq INTEGER PRIMARY KEY,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            ended_at REAL NOT NULL,
            service_id TEXT,
            reason TEXT,
            requests TEXT,
            failures TEXT
        ) STRICT;
        CREATE INDEX delivery_end_by_time ON delivery_end (ended_at);
        CREATE INDEX delivery_end_undelivered ON delivery_end (state) WHERE state <> 'delivered';

        CREATE TABLE outbox (
            last_seq INTEGER NOT NULL,
            queued INTEGER NOT NULL,
            sending INTEGER NOT NULL,
            delivered INTEGER NOT NULL,
            previewed INTEGER NOT NULL,
            refused INTEGER NOT NULL,
            expired INTEGER NOT NULL,
            ended_ever INTEGER NOT NULL
        ) STRICT;
        INSERT INTO outbox VALUES (0, 0, 0, 0, 0, 0, 0, 0);

        CREATE TABLE outbox_channel (
            channel INTEGER PRIMARY KEY,
            cursor INTEGER NOT NULL,
            last_seq INTEGER NOT NULL
        ) STRICT;

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

        CREATE TABLE flush_mark (number INTEGER NOT NULL) STRICT;
        INSERT INTO flush_mark VALUES (0);
        """
}

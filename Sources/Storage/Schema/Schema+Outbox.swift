/// What version 4 of the tables brings: an outbox whose deliveries are written once and never rewritten.
extension Schema {
    /// `delivery` says what is to be delivered, and never changes. Where a delivery stands follows from the other tables:
    ///
    /// - It ended when `delivery_end` has it.
    /// - It is under way when `delivery_progress` has it: `worker` holds it until `due`, or it is to be tried again at `due`,
    ///   or, without `due`, it waits for an earlier one of its lane to end. A lane is a device, as a number (`Lane`); one
    ///   delivery of each goes out at a time. `due_set_at` is when `due` was decided.
    /// - Otherwise nobody has looked at it. Of each channel (`DeliveryChannel`) these are the ones behind `cursor`, without
    ///   those that began elsewhere (`begun`); so nothing but the row itself is written to queue one.
    ///
    /// Numbers (`seq`) are given in order and never again; the last is in `outbox`, with how many are in each state.
    /// `notification.deliveries` counts the rows that refer to it. Texts may be missing where their target has none.
    static let outboxTables = """
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
            subscription_options TEXT
        ) STRICT;

        CREATE TABLE delivery_progress (
            seq INTEGER PRIMARY KEY,
            lane INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            due REAL,
            due_set_at REAL NOT NULL,
            worker TEXT,
            reason TEXT,
            requests TEXT
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
            requests TEXT
        ) STRICT;
        CREATE INDEX delivery_end_by_time ON delivery_end (ended_at);
        CREATE INDEX delivery_end_undelivered ON delivery_end (state) WHERE state <> 'delivered';

        CREATE TABLE outbox (
            last_seq INTEGER NOT NULL,
            queued INTEGER NOT NULL,
            sending INTEGER NOT NULL,
            delivered INTEGER NOT NULL,
            refused INTEGER NOT NULL,
            expired INTEGER NOT NULL,
            ended_ever INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE outbox_channel (
            channel INTEGER PRIMARY KEY,
            cursor INTEGER NOT NULL,
            last_seq INTEGER NOT NULL
        ) STRICT;
        INSERT INTO outbox_channel VALUES (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0), (6, 0, 0);
        """

    /// Moves what version 3 had. `uuid_blob` and `lane` are functions of ours (``outbox(_:)``).
    static let outboxRows = """
        INSERT INTO notification (id, adapter, event_source, created_at, expires_at, deliveries, options)
        SELECT uuid_blob(d.notification_id), d.adapter, d.event_source, d.created_at, d.expires_at, count(*), n.options
        FROM delivery_3 AS d JOIN notification_3 AS n ON n.id = d.notification_id
        GROUP BY d.notification_id, d.created_at, d.expires_at, d.adapter, d.event_source ORDER BY min(d.seq);

        INSERT INTO delivery (
            seq, id, notification, channel, begun, user_id, device_id, application_id, alias, tag, token, phone_number,
            gateway_id, subscription_options
        )
        SELECT
            d.seq, uuid_blob(d.id), n.seq,
            CASE d.platform
                WHEN 'Apple' THEN 1 WHEN 'Android' THEN 2 WHEN 'Windows' THEN 3 WHEN 'WindowsPhone' THEN 4 ELSE 5
            END,
            d.state <> 'pending' OR d.attempts > 0 OR d.due > d.created_at, d.user_id, d.device_id, d.application_id,
            d.alias, d.tag, d.token, d.phone_number, d.gateway_id, d.subscription_options
        FROM delivery_3 AS d JOIN notification AS n ON n.id = uuid_blob(d.notification_id)
            AND n.created_at = d.created_at AND n.expires_at = d.expires_at AND n.adapter IS d.adapter
            AND n.event_source IS d.event_source;

        INSERT INTO delivery_progress (seq, lane, channel, attempts, due, due_set_at, worker, reason, requests)
        SELECT
            d.seq, lane(n.application_id, n.device_id, n.phone_number), n.channel, d.attempts, d.due, d.created_at,
            d.worker, d.reason, d.requests
        FROM delivery_3 AS d JOIN delivery AS n USING (seq) WHERE n.begun AND d.ended_at IS NULL;

        INSERT INTO delivery_end (seq, state, attempts, ended_at, reason, requests)
        SELECT seq, state, attempts, ended_at, reason, requests FROM delivery_3 WHERE ended_at IS NOT NULL;

        INSERT INTO outbox
        SELECT
            coalesce(max(seq), 0), count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'claimed'),
            count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'refused'),
            count(*) FILTER (WHERE state = 'expired'), count(ended_at)
        FROM delivery_3;
        UPDATE outbox_channel SET
            last_seq = coalesce((SELECT max(seq) FROM delivery WHERE delivery.channel = outbox_channel.channel), 0);

        DROP TABLE delivery_3;
        DROP TABLE notification_3;
        """

    /// The time at which a device last said that it has its token; not known of those that registered before.
    static let confirmedTokens = "ALTER TABLE device_registration ADD COLUMN confirmed_at REAL"
}

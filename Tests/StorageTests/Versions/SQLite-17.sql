PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE user_subscription (
    adapter TEXT NOT NULL,
    event_source TEXT NOT NULL,
    user_id TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (adapter, event_source, user_id)
) STRICT;
INSERT INTO user_subscription VALUES('NewsAdapter','News','ann','{}');
INSERT INTO user_subscription VALUES('NewsAdapter','News','bob','{}');
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
INSERT INTO device_subscription VALUES('NewsAdapter','News','ann','phone-1','Reader','myNews','Android','token-1','{"alert":true}',NULL,NULL,NULL);
INSERT INTO device_subscription VALUES('NewsAdapter','News','bob','phone-2','Reader','myNews','Android','token-1','{"alert":true}',NULL,NULL,NULL);
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
INSERT INTO device_registration VALUES('Reader','phone-1','ann','Android','token-1',1700000000.0,NULL,NULL,NULL,NULL,0);
INSERT INTO device_registration VALUES('Reader','phone-2','bob','Android','token-1',1700000000.0,NULL,NULL,NULL,NULL,0);
CREATE TABLE tag_subscription (
    application_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    device_id TEXT NOT NULL,
    PRIMARY KEY (application_id, tag, device_id),
    FOREIGN KEY (application_id, device_id) REFERENCES device_registration ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO tag_subscription VALUES('Reader','Push.ALL','phone-1');
INSERT INTO tag_subscription VALUES('Reader','Push.ALL','phone-2');
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
INSERT INTO notification VALUES(1,X'e43e361c2e174e349fd5d07e135af915','NewsAdapter','News',1700000000.0,1700086400.0,1,'{"GCM":{"payload":{"n":1}}}');
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
INSERT INTO delivery VALUES(1,X'070fe06266b246ec8510db911ee819ad',1,2,0,'ann','phone C1F49C92-0A3D-4198-8E98-BFC50F86BD69','Reader','myNews',NULL,'token-1',NULL,NULL,'{"alert":true}',NULL);
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
INSERT INTO outbox VALUES(1,1,0,0,0,0,0,0);
CREATE TABLE outbox_channel (
    channel INTEGER PRIMARY KEY,
    cursor INTEGER NOT NULL,
    last_seq INTEGER NOT NULL
) STRICT;
INSERT INTO outbox_channel VALUES(1,0,0);
INSERT INTO outbox_channel VALUES(2,0,1);
INSERT INTO outbox_channel VALUES(3,0,0);
INSERT INTO outbox_channel VALUES(4,0,0);
INSERT INTO outbox_channel VALUES(5,0,0);
INSERT INTO outbox_channel VALUES(6,0,0);
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
INSERT INTO flush_mark VALUES(0);
CREATE TABLE application_rule (
    application_id TEXT NOT NULL,
    environment TEXT NOT NULL,
    version TEXT NOT NULL,
    access TEXT NOT NULL,
    message TEXT,
    download_link TEXT,
    checksum INTEGER,
    message_id TEXT NOT NULL,
    updated_at REAL NOT NULL,
    PRIMARY KEY (application_id, environment, version)
) STRICT;
CREATE TABLE preference (
    application_id TEXT NOT NULL,
    owner_kind TEXT NOT NULL,
    owner_realm TEXT NOT NULL,
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    guest_network TEXT,
    guest_bytes INTEGER,
    PRIMARY KEY (application_id, owner_kind, owner_realm, owner, key)
) STRICT;
CREATE TABLE sent_message (
    id TEXT NOT NULL PRIMARY KEY,
    application_id TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    digest TEXT NOT NULL,
    created_at REAL NOT NULL,
    is_begun INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE api_token (
    name TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    created_at REAL NOT NULL,
    expires_at REAL
) STRICT;
CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    type TEXT NOT NULL,
    account TEXT NOT NULL,
    address TEXT NOT NULL,
    target TEXT NOT NULL,
    status INTEGER NOT NULL,
    is_failure INTEGER NOT NULL,
    before_change TEXT,
    after_change TEXT
) STRICT;
CREATE TABLE blocked_device (
    application_id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    blocked_at REAL NOT NULL,
    PRIMARY KEY (application_id, device_id)
) STRICT;
CREATE TABLE activity (
    step INTEGER NOT NULL,
    time INTEGER NOT NULL,
    server TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed_calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    delivered INTEGER NOT NULL,
    previewed INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    waiting INTEGER NOT NULL,
    oldest_delivery REAL NOT NULL,
    poll_lateness REAL NOT NULL,
    PRIMARY KEY (step, time, server)
) STRICT, WITHOUT ROWID;
CREATE TABLE oauth_client (
    client_id TEXT NOT NULL PRIMARY KEY,
    application_id TEXT NOT NULL,
    application_version TEXT NOT NULL,
    environment TEXT NOT NULL,
    device_id TEXT NOT NULL,
    device_model TEXT NOT NULL,
    device_os TEXT NOT NULL,
    modulus BLOB NOT NULL,
    exponent BLOB NOT NULL,
    certificate BLOB NOT NULL,
    registered_at REAL NOT NULL,
    last_used_at REAL NOT NULL
) STRICT;
CREATE TABLE store_version (oldest_reader INTEGER NOT NULL) STRICT;
INSERT INTO store_version VALUES(17);
CREATE INDEX device_subscription_by_user ON device_subscription (user_id);
CREATE INDEX device_subscription_by_device ON device_subscription (device_id, application_id);
CREATE INDEX device_subscription_by_application ON device_subscription (application_id);
CREATE INDEX device_subscription_by_token ON device_subscription (token);
CREATE INDEX device_subscription_of_guests ON device_subscription (guest_network, guest_bytes)
WHERE guest_network IS NOT NULL;
CREATE INDEX device_registration_by_user ON device_registration (application_id, user_id, device_id);
CREATE INDEX device_registration_by_platform ON device_registration (application_id, platform, device_id);
CREATE INDEX device_registration_by_client ON device_registration (application_id, client_id, device_id);
CREATE INDEX device_registration_by_token ON device_registration (application_id, token);
CREATE INDEX device_registration_of_guests ON device_registration (guest_network, guest_bytes)
WHERE guest_network IS NOT NULL;
CREATE INDEX tag_subscription_by_device ON tag_subscription (application_id, device_id);
CREATE INDEX sms_subscription_by_user ON sms_subscription (user_id, adapter, event_source);
CREATE INDEX sms_subscription_of_guests ON sms_subscription (guest_network, guest_bytes)
WHERE guest_network IS NOT NULL;
CREATE INDEX owed_callback_by_user ON owed_callback (adapter, event_source, user_id);
CREATE INDEX notification_by_id ON notification (id);
CREATE INDEX notification_by_time ON notification (created_at);
CREATE INDEX delivery_by_notification ON delivery (notification);
CREATE INDEX delivery_by_user ON delivery (user_id);
CREATE INDEX delivery_by_device ON delivery (device_id);
CREATE INDEX delivery_progress_by_lane ON delivery_progress (lane);
CREATE INDEX delivery_progress_due ON delivery_progress (channel, due) WHERE due IS NOT NULL;
CREATE INDEX delivery_end_by_time ON delivery_end (ended_at);
CREATE INDEX delivery_end_undelivered ON delivery_end (state) WHERE state <> 'delivered';
CREATE INDEX preference_of_guests ON preference (guest_network, guest_bytes) WHERE guest_network IS NOT NULL;
CREATE INDEX sent_message_by_time ON sent_message (created_at);
CREATE INDEX audit_log_by_time ON audit_log (time);
CREATE INDEX audit_log_by_account ON audit_log (account, seq);
CREATE INDEX audit_log_by_type ON audit_log (type, seq);
CREATE INDEX oauth_client_by_use ON oauth_client (last_used_at);
CREATE INDEX oauth_client_by_device ON oauth_client (application_id, device_id);
COMMIT;

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.activity (
    step bigint NOT NULL,
    "time" bigint NOT NULL,
    server text NOT NULL COLLATE pg_catalog."C",
    calls bigint NOT NULL,
    failed_calls bigint NOT NULL,
    errors bigint NOT NULL,
    delivered bigint NOT NULL,
    previewed bigint NOT NULL,
    refused bigint NOT NULL,
    expired bigint NOT NULL,
    waiting bigint NOT NULL,
    oldest_delivery double precision NOT NULL,
    poll_lateness double precision NOT NULL
);
CREATE TABLE public.api_token (
    name text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    created_at double precision NOT NULL,
    expires_at double precision
);
CREATE TABLE public.application_rule (
    application_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    access text NOT NULL COLLATE pg_catalog."C",
    message text COLLATE pg_catalog."C",
    download_link text COLLATE pg_catalog."C",
    checksum bigint,
    message_id text NOT NULL COLLATE pg_catalog."C",
    updated_at double precision NOT NULL
);
CREATE TABLE public.audit_log (
    seq bigint NOT NULL,
    "time" double precision NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    account text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    status bigint NOT NULL,
    is_failure bigint NOT NULL,
    before_change text COLLATE pg_catalog."C",
    after_change text COLLATE pg_catalog."C"
);
ALTER TABLE public.audit_log ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.blocked_device (
    application_id text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    blocked_at double precision NOT NULL
);
CREATE TABLE public.broadcast (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    notification bigint NOT NULL,
    application_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    part bigint NOT NULL,
    after_device text COLLATE pg_catalog."C",
    deliveries bigint NOT NULL
);
CREATE TABLE public.broadcast_part (
    broadcast_id uuid NOT NULL,
    number bigint NOT NULL,
    value text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE public.broadcast ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.broadcast_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.delivery (
    seq bigint NOT NULL,
    notification bigint NOT NULL,
    lane bigint NOT NULL,
    due double precision,
    due_set_at double precision NOT NULL,
    channel integer NOT NULL,
    attempts integer NOT NULL,
    id uuid NOT NULL,
    worker text,
    user_id text COLLATE pg_catalog."C",
    device_id text COLLATE pg_catalog."C",
    application_id text COLLATE pg_catalog."C",
    alias text COLLATE pg_catalog."C",
    tag text COLLATE pg_catalog."C",
    token text,
    phone_number text,
    gateway_id text,
    subscription_options text,
    is_for_user boolean,
    digits text COLLATE pg_catalog."C",
    reason text,
    requests text,
    failures jsonb
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');
CREATE TABLE public.delivery_count (
    queued bigint NOT NULL,
    sending bigint NOT NULL,
    delivered bigint NOT NULL,
    previewed bigint NOT NULL,
    refused bigint NOT NULL,
    expired bigint NOT NULL,
    ended_ever bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');
CREATE TABLE public.delivery_end (
    seq bigint NOT NULL,
    notification bigint NOT NULL,
    ended_at double precision NOT NULL,
    channel integer NOT NULL,
    attempts integer NOT NULL,
    id uuid NOT NULL,
    state text NOT NULL,
    user_id text COLLATE pg_catalog."C",
    device_id text COLLATE pg_catalog."C",
    application_id text COLLATE pg_catalog."C",
    alias text COLLATE pg_catalog."C",
    tag text COLLATE pg_catalog."C",
    token text,
    phone_number text,
    gateway_id text,
    subscription_options text,
    is_for_user boolean,
    service_id text,
    reason text,
    requests text,
    failures jsonb
)
PARTITION BY RANGE (ended_at);
ALTER TABLE public.delivery ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.delivery_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.device_registration (
    application_id text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    confirmed_at double precision,
    client_id text COLLATE pg_catalog."C",
    user_realm text COLLATE pg_catalog."C",
    guest_network text COLLATE pg_catalog."C",
    guest_bytes bigint,
    has_checked_user boolean DEFAULT false NOT NULL
);
CREATE TABLE public.device_subscription (
    adapter text NOT NULL COLLATE pg_catalog."C",
    event_source text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    application_id text NOT NULL COLLATE pg_catalog."C",
    alias text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    options text NOT NULL COLLATE pg_catalog."C",
    user_realm text COLLATE pg_catalog."C",
    guest_network text COLLATE pg_catalog."C",
    guest_bytes bigint
);
CREATE TABLE public.lamplighter_schema (
    version bigint NOT NULL,
    oldest_reader bigint
);
CREATE TABLE public.notification (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    adapter text COLLATE pg_catalog."C",
    event_source text COLLATE pg_catalog."C",
    created_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    options text NOT NULL
);
ALTER TABLE public.notification ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notification_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.oauth_client (
    client_id text NOT NULL COLLATE pg_catalog."C",
    application_id text NOT NULL COLLATE pg_catalog."C",
    application_version text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    device_model text NOT NULL COLLATE pg_catalog."C",
    device_os text NOT NULL COLLATE pg_catalog."C",
    modulus bytea NOT NULL,
    exponent bytea NOT NULL,
    certificate bytea NOT NULL,
    registered_at double precision NOT NULL,
    last_used_at double precision NOT NULL
);
CREATE TABLE public.owed_callback (
    seq bigint NOT NULL,
    change text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    adapter text NOT NULL COLLATE pg_catalog."C",
    event_source text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    user_state text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    application_id text NOT NULL COLLATE pg_catalog."C",
    alias text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    options text NOT NULL COLLATE pg_catalog."C",
    is_edge boolean NOT NULL
);
ALTER TABLE public.owed_callback ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.owed_callback_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.poll (
    adapter text NOT NULL COLLATE pg_catalog."C",
    event_source text NOT NULL COLLATE pg_catalog."C",
    "interval" double precision NOT NULL,
    last_ended double precision,
    next_due double precision NOT NULL,
    consecutive_failures bigint NOT NULL
);
CREATE TABLE public.poll_lease (
    holder text NOT NULL COLLATE pg_catalog."C",
    epoch bigint NOT NULL,
    ends_at double precision NOT NULL
);
CREATE TABLE public.preference (
    application_id text NOT NULL COLLATE pg_catalog."C",
    owner_kind text NOT NULL COLLATE pg_catalog."C",
    owner_realm text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    guest_network text COLLATE pg_catalog."C",
    guest_bytes bigint
);
CREATE TABLE public.sent_message (
    id text NOT NULL COLLATE pg_catalog."C",
    application_id text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    created_at double precision NOT NULL,
    is_begun bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.server_heartbeat (
    name text NOT NULL COLLATE pg_catalog."C",
    seen_at double precision NOT NULL
);
CREATE TABLE public.sms_subscription (
    adapter text NOT NULL COLLATE pg_catalog."C",
    event_source text NOT NULL COLLATE pg_catalog."C",
    digits text NOT NULL COLLATE pg_catalog."C",
    phone_number text NOT NULL COLLATE pg_catalog."C",
    gateway_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    alias text COLLATE pg_catalog."C",
    application_id text COLLATE pg_catalog."C",
    user_realm text COLLATE pg_catalog."C",
    guest_network text COLLATE pg_catalog."C",
    guest_bytes bigint
);
CREATE TABLE public.tag_subscription (
    application_id text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.user_subscription (
    adapter text NOT NULL COLLATE pg_catalog."C",
    event_source text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO public.delivery OVERRIDING SYSTEM VALUE VALUES (1, 1, 6125176213726634850, 1700000000, 1700000000, 2, 0, '42bc50c1-0b84-4cb9-92cd-298afcf98fa0', NULL, 'ann', 'phone 34D9F318-A53B-40C4-B095-A01D894ECD9D', 'Reader', 'myNews', NULL, 'token-1', NULL, NULL, '{"alert":true}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_count VALUES (1, 0, 0, 0, 0, 0, 0);
INSERT INTO public.device_registration VALUES ('Reader', 'phone-1', 'ann', 'Android', 'token-1', 1700000000, NULL, NULL, NULL, NULL, false);
INSERT INTO public.device_registration VALUES ('Reader', 'phone-2', 'bob', 'Android', 'token-1', 1700000000, NULL, NULL, NULL, NULL, false);
INSERT INTO public.device_subscription VALUES ('NewsAdapter', 'News', 'ann', 'phone-1', 'Reader', 'myNews', 'Android', 'token-1', '{"alert":true}', NULL, NULL, NULL);
INSERT INTO public.device_subscription VALUES ('NewsAdapter', 'News', 'bob', 'phone-2', 'Reader', 'myNews', 'Android', 'token-1', '{"alert":true}', NULL, NULL, NULL);
INSERT INTO public.lamplighter_schema VALUES (10, 10);
INSERT INTO public.notification OVERRIDING SYSTEM VALUE VALUES (1, '54f40f77-2f3a-438f-b13a-2ba56ae21565', 'NewsAdapter', 'News', 1700000000, 1700086400, '{"GCM":{"payload":{"n":1}}}');
INSERT INTO public.tag_subscription VALUES ('Reader', 'Push.ALL', 'phone-1');
INSERT INTO public.tag_subscription VALUES ('Reader', 'Push.ALL', 'phone-2');
INSERT INTO public.user_subscription VALUES ('NewsAdapter', 'News', 'ann', '{}');
INSERT INTO public.user_subscription VALUES ('NewsAdapter', 'News', 'bob', '{}');
SELECT pg_catalog.setval('public.audit_log_seq_seq', 1, false);
SELECT pg_catalog.setval('public.broadcast_seq_seq', 1, false);
SELECT pg_catalog.setval('public.delivery_seq_seq', 1, true);
SELECT pg_catalog.setval('public.notification_seq_seq', 1, true);
SELECT pg_catalog.setval('public.owed_callback_seq_seq', 1, false);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (step, "time", server);
ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.application_rule
    ADD CONSTRAINT application_rule_pkey PRIMARY KEY (application_id, environment, version);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.blocked_device
    ADD CONSTRAINT blocked_device_pkey PRIMARY KEY (application_id, device_id);
ALTER TABLE ONLY public.broadcast
    ADD CONSTRAINT broadcast_id_key UNIQUE (id);
ALTER TABLE ONLY public.broadcast_part
    ADD CONSTRAINT broadcast_part_pkey PRIMARY KEY (broadcast_id, number);
ALTER TABLE ONLY public.broadcast
    ADD CONSTRAINT broadcast_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.device_registration
    ADD CONSTRAINT device_registration_pkey PRIMARY KEY (application_id, device_id);
ALTER TABLE ONLY public.device_subscription
    ADD CONSTRAINT device_subscription_pkey PRIMARY KEY (adapter, event_source, user_id, device_id, application_id);
ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.oauth_client
    ADD CONSTRAINT oauth_client_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.owed_callback
    ADD CONSTRAINT owed_callback_change_number_key UNIQUE (change, number);
ALTER TABLE ONLY public.owed_callback
    ADD CONSTRAINT owed_callback_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.poll
    ADD CONSTRAINT poll_pkey PRIMARY KEY (adapter, event_source);
ALTER TABLE ONLY public.preference
    ADD CONSTRAINT preference_pkey PRIMARY KEY (application_id, owner_kind, owner_realm, owner, key);
ALTER TABLE ONLY public.sent_message
    ADD CONSTRAINT sent_message_idempotency_key_key UNIQUE (idempotency_key);
ALTER TABLE ONLY public.sent_message
    ADD CONSTRAINT sent_message_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.server_heartbeat
    ADD CONSTRAINT server_heartbeat_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sms_subscription
    ADD CONSTRAINT sms_subscription_pkey PRIMARY KEY (adapter, event_source, digits);
ALTER TABLE ONLY public.tag_subscription
    ADD CONSTRAINT tag_subscription_pkey PRIMARY KEY (application_id, tag, device_id);
ALTER TABLE ONLY public.user_subscription
    ADD CONSTRAINT user_subscription_pkey PRIMARY KEY (adapter, event_source, user_id);
CREATE INDEX audit_log_by_account ON public.audit_log USING btree (account, seq);
CREATE INDEX audit_log_by_time ON public.audit_log USING btree ("time");
CREATE INDEX audit_log_by_type ON public.audit_log USING btree (type, seq);
CREATE UNIQUE INDEX delivery_begun ON public.delivery USING btree (lane) WHERE (attempts > 0);
CREATE INDEX delivery_by_device ON public.delivery USING btree (device_id, seq);
CREATE INDEX delivery_by_lane ON public.delivery USING btree (lane, seq);
CREATE INDEX delivery_by_notification ON public.delivery USING btree (notification, seq);
CREATE INDEX delivery_by_user ON public.delivery USING btree (user_id, seq);
CREATE INDEX delivery_due ON public.delivery USING btree (channel, due, seq) WHERE (due IS NOT NULL);
CREATE INDEX delivery_end_by_device ON ONLY public.delivery_end USING btree (device_id, seq);
CREATE INDEX delivery_end_by_notification ON ONLY public.delivery_end USING btree (notification, seq);
CREATE INDEX delivery_end_by_seq ON ONLY public.delivery_end USING btree (seq);
CREATE INDEX delivery_end_by_user ON ONLY public.delivery_end USING btree (user_id, seq);
CREATE INDEX delivery_end_undelivered ON ONLY public.delivery_end USING btree (state, seq) WHERE (state <> 'delivered'::text);
CREATE INDEX device_registration_by_client ON public.device_registration USING btree (application_id, client_id, device_id);
CREATE INDEX device_registration_by_platform ON public.device_registration USING btree (application_id, platform, device_id);
CREATE INDEX device_registration_by_token ON public.device_registration USING btree (application_id, token);
CREATE INDEX device_registration_by_user ON public.device_registration USING btree (application_id, user_id, device_id);
CREATE INDEX device_registration_of_guests ON public.device_registration USING btree (guest_network, guest_bytes) WHERE (guest_network IS NOT NULL);
CREATE INDEX device_subscription_by_application ON public.device_subscription USING btree (application_id);
CREATE INDEX device_subscription_by_device ON public.device_subscription USING btree (device_id, application_id);
CREATE INDEX device_subscription_by_token ON public.device_subscription USING btree (token);
CREATE INDEX device_subscription_by_user ON public.device_subscription USING btree (user_id);
CREATE INDEX device_subscription_of_guests ON public.device_subscription USING btree (guest_network, guest_bytes) WHERE (guest_network IS NOT NULL);
CREATE INDEX notification_by_id ON public.notification USING btree (id);
CREATE INDEX notification_by_time ON public.notification USING btree (created_at);
CREATE INDEX oauth_client_by_device ON public.oauth_client USING btree (application_id, device_id);
CREATE INDEX oauth_client_by_use ON public.oauth_client USING btree (last_used_at);
CREATE INDEX owed_callback_by_user ON public.owed_callback USING btree (adapter, event_source, user_id);
CREATE INDEX preference_of_guests ON public.preference USING btree (guest_network, guest_bytes) WHERE (guest_network IS NOT NULL);
CREATE INDEX sent_message_by_time ON public.sent_message USING btree (created_at);
CREATE INDEX sms_subscription_by_user ON public.sms_subscription USING btree (user_id, adapter, event_source);
CREATE INDEX sms_subscription_of_guests ON public.sms_subscription USING btree (guest_network, guest_bytes) WHERE (guest_network IS NOT NULL);
CREATE INDEX tag_subscription_by_device ON public.tag_subscription USING btree (application_id, device_id);
ALTER TABLE ONLY public.broadcast_part
    ADD CONSTRAINT broadcast_part_broadcast_id_fkey FOREIGN KEY (broadcast_id) REFERENCES public.broadcast(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_subscription
    ADD CONSTRAINT device_subscription_adapter_event_source_user_id_fkey FOREIGN KEY (adapter, event_source, user_id) REFERENCES public.user_subscription(adapter, event_source, user_id);
ALTER TABLE ONLY public.sms_subscription
    ADD CONSTRAINT sms_subscription_adapter_event_source_user_id_fkey FOREIGN KEY (adapter, event_source, user_id) REFERENCES public.user_subscription(adapter, event_source, user_id);
ALTER TABLE ONLY public.tag_subscription
    ADD CONSTRAINT tag_subscription_application_id_device_id_fkey FOREIGN KEY (application_id, device_id) REFERENCES public.device_registration(application_id, device_id) ON DELETE CASCADE;

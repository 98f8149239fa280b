-- PostgreSQL dialect; H2 runs it in its PostgreSQL mode.

-- repository: where earlier images of an image are looked for. shown_layers: how many of the lowest layers the registry
-- that has the image was seen to have, byte for byte. retry: when an image whose job failed for a reason that may pass is
-- queued again. index_digest: the index that named the manifest at the last registration, if one did.
CREATE TABLE images (
    digest          VARCHAR(71) PRIMARY KEY,
    name            TEXT NOT NULL,
    repository      TEXT,
    state           VARCHAR(16) NOT NULL,
    compressed_size BIGINT NOT NULL,
    top_chain       VARCHAR(71) NOT NULL,
    shown_layers    INTEGER DEFAULT 0 NOT NULL,
    plan            VARCHAR(71),
    error           TEXT,
    retry           TIMESTAMP WITH TIME ZONE,
    index_digest    VARCHAR(71),
    created         TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX images_by_repository ON images (repository);
CREATE INDEX images_by_retry ON images (retry);
-- A container's start reads one row of this index, however many images share its layers.
CREATE INDEX images_by_top_chain ON images (top_chain, created);

CREATE TABLE image_chains (
    image    VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    chain    VARCHAR(71) NOT NULL,
    PRIMARY KEY (image, position)
);
CREATE INDEX image_chains_by_chain ON image_chains (chain);

CREATE TABLE image_layers (
    image VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    layer VARCHAR(71) NOT NULL,
    PRIMARY KEY (image, layer)
);
CREATE INDEX image_layers_by_layer ON image_layers (layer);

-- start_mode, fill_mode: how nodes start the function's containers, and whether they fetch the rest of its image; NULL:
-- as the node is set. pinned_plan: the plan that a pinned function's image keeps.
CREATE TABLE functions (
    name           VARCHAR(253) PRIMARY KEY,
    reference      TEXT NOT NULL,
    image          VARCHAR(71) NOT NULL REFERENCES images (digest),
    runtime        TEXT,
    readiness_port INTEGER,
    readiness_path TEXT,
    start_mode     VARCHAR(16),
    fill_mode      VARCHAR(16),
    pinned_plan    VARCHAR(71),
    created        TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX functions_by_image ON functions (image);
CREATE INDEX functions_by_pinned_plan ON functions (pinned_plan);

-- The images that a function was registered with.
CREATE TABLE function_images (
    function VARCHAR(253) NOT NULL,
    image    VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    PRIMARY KEY (function, image)
);
CREATE INDEX function_images_by_image ON function_images (image);

-- One merged trace per stack of layers; the bytes are in traces/<hex of digest>. range_runs: how many runs at least
-- showed which parts of a large file they read.
CREATE TABLE traces (
    chain      VARCHAR(71) PRIMARY KEY,
    digest     VARCHAR(71) NOT NULL,
    runs       INTEGER NOT NULL,
    range_runs INTEGER DEFAULT 0 NOT NULL,
    files      INTEGER NOT NULL,
    updated    TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX traces_by_digest ON traces (digest);

-- due: a job that failed for a reason that may pass waits until then. owner: the replica that runs the job; claim: the
-- name of this run, a new one each time that the job is taken.
CREATE TABLE jobs (
    id       VARCHAR(36) PRIMARY KEY,
    image    VARCHAR(71) NOT NULL,
    state    VARCHAR(16) NOT NULL,
    phase    TEXT NOT NULL,
    done     BIGINT NOT NULL,
    total    BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    retries  INTEGER DEFAULT 0 NOT NULL,
    due      TIMESTAMP WITH TIME ZONE,
    owner    VARCHAR(36),
    claim    VARCHAR(36),
    error    TEXT,
    created  TIMESTAMP WITH TIME ZONE NOT NULL,
    finished TIMESTAMP WITH TIME ZONE
);
CREATE INDEX jobs_by_state ON jobs (state, created);
CREATE INDEX jobs_by_image ON jobs (image);

-- A plan is a row once all its objects, its metadata images and its own bytes are stored. version: which of its image's
-- plans it is. prediction: its source in the place of a trace; no reference, since plans are removed with
-- their image, too.
CREATE TABLE plans (
    digest     VARCHAR(71) PRIMARY KEY,
    image      VARCHAR(71) NOT NULL,
    top_chain  VARCHAR(71) NOT NULL,
    version    INTEGER DEFAULT 1 NOT NULL,
    runtime    VARCHAR(64),
    prediction VARCHAR(71),
    created    TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX plans_by_top_chain ON plans (top_chain);
CREATE INDEX plans_by_image ON plans (image);
CREATE INDEX plans_by_runtime ON plans (runtime);

CREATE TABLE plan_chains (
    plan  VARCHAR(71) NOT NULL REFERENCES plans (digest) ON DELETE CASCADE,
    chain VARCHAR(71) NOT NULL,
    PRIMARY KEY (plan, chain)
);
CREATE INDEX plan_chains_by_chain ON plan_chains (chain);

CREATE TABLE plan_segments (
    plan            VARCHAR(71) NOT NULL REFERENCES plans (digest) ON DELETE CASCADE,
    segment         VARCHAR(8) NOT NULL,
    startup_objects BIGINT NOT NULL,
    startup_bytes   BIGINT NOT NULL,
    startup_stored  BIGINT NOT NULL,
    objects         BIGINT NOT NULL,
    bytes           BIGINT NOT NULL,
    stored          BIGINT NOT NULL,
    PRIMARY KEY (plan, segment)
);

CREATE TABLE plan_libraries (
    plan      VARCHAR(71) NOT NULL REFERENCES plans (digest) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    ecosystem TEXT NOT NULL,
    name      TEXT NOT NULL,
    version   TEXT NOT NULL,
    objects   BIGINT NOT NULL,
    bytes     BIGINT NOT NULL,
    PRIMARY KEY (plan, position)
);

-- damaged: the row stays, so that plans that need the old pack need the new one, too, when the object is stored again.
CREATE TABLE objects (
    digest        BYTEA PRIMARY KEY,
    pack          TEXT NOT NULL,
    pack_offset   BIGINT NOT NULL,
    stored_length BIGINT NOT NULL,
    raw_size      BIGINT NOT NULL,
    damaged       BOOLEAN DEFAULT FALSE NOT NULL
);
CREATE INDEX objects_by_pack ON objects (pack);

-- Counts up when objects get another place, so that every replica reads theirs again.
CREATE TABLE places (epoch BIGINT NOT NULL);
INSERT INTO places (epoch) VALUES (0);

-- Metadata images, stored as zstd in metadata/<hex of digest>.
CREATE TABLE metadata_images (
    digest        BYTEA PRIMARY KEY,
    stored_length BIGINT NOT NULL,
    raw_size      BIGINT NOT NULL
);

-- Blobs that are stored or about to be, as folder/name. unneeded: since when it was seen that nothing needs it, in the
-- time of garbage_time; NULL while something does, and until the next search.
CREATE TABLE blobs (
    name     VARCHAR(300) PRIMARY KEY,
    unneeded BIGINT
);
CREATE INDEX blobs_by_unneeded ON blobs (unneeded);

-- The blobs that a plan needs: its file, its metadata images and the packs of its objects.
CREATE TABLE plan_blobs (
    plan VARCHAR(71) NOT NULL REFERENCES plans (digest) ON DELETE CASCADE,
    blob VARCHAR(300) NOT NULL REFERENCES blobs (name),
    PRIMARY KEY (plan, blob)
);
CREATE INDEX plan_blobs_by_blob ON plan_blobs (blob);

-- How long a blob has not been needed is counted in time that was seen to pass, not by the clock, which may jump.
CREATE TABLE garbage_time (
    seen BIGINT NOT NULL,
    last TIMESTAMP WITH TIME ZONE
);
INSERT INTO garbage_time (seen, last) VALUES (0, NULL);

-- The name by which the store of blobs that belongs to this database is known, and whether it has been put there.
CREATE TABLE store (
    id     VARCHAR(36),
    placed BOOLEAN NOT NULL
);
INSERT INTO store (id, placed) VALUES (NULL, FALSE);

-- Signed statements: of plans, which nodes get with them, and of the indexes of layers, which later plans are made from.
-- signing_key: ID of the key. A row proves nothing by itself: its signature is verified.
CREATE TABLE plan_statements (
    plan        VARCHAR(71) PRIMARY KEY REFERENCES plans (digest) ON DELETE CASCADE,
    signing_key VARCHAR(71) NOT NULL,
    statement   BYTEA NOT NULL
);
CREATE TABLE layer_statements (
    blob        VARCHAR(300) PRIMARY KEY REFERENCES blobs (name) ON DELETE CASCADE,
    signing_key VARCHAR(71) NOT NULL,
    statement   BYTEA NOT NULL
);

-- Plans that are predicted before the first start of their image.
CREATE TABLE predictions (
    digest   VARCHAR(71) PRIMARY KEY,
    image    VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    created  TIMESTAMP WITH TIME ZONE NOT NULL,
    raw_size INTEGER NOT NULL,
    detail   BYTEA NOT NULL
);
CREATE INDEX predictions_by_image ON predictions (image);

-- Files that starts read of libraries and runtimes: one row for each library and origin, which is the repository of the
-- images whose starts were traced, or an imported file. detail is a JSON list of files, zstd.
CREATE TABLE library_reads (
    origin    VARCHAR(1000) NOT NULL,
    position  INTEGER NOT NULL,
    ecosystem VARCHAR(64) NOT NULL,
    name      VARCHAR(300) NOT NULL,
    version   VARCHAR(300) NOT NULL,
    functions DOUBLE PRECISION NOT NULL,
    used      DOUBLE PRECISION NOT NULL,
    updated   TIMESTAMP WITH TIME ZONE NOT NULL,
    raw_size  INTEGER NOT NULL,
    detail    BYTEA NOT NULL,
    PRIMARY KEY (origin, position)
);
CREATE INDEX library_reads_by_name ON library_reads (ecosystem, name, updated);

-- Objects that starts of an image missed, and in how many starts.
CREATE TABLE missed_objects (
    image  VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    object BYTEA NOT NULL,
    starts INTEGER NOT NULL,
    PRIMARY KEY (image, object)
);

-- Starts of start_records whose misses are not counted for their images yet. No reference to images: no report waits for
-- an image's row.
CREATE TABLE unlearnt_starts (
    image VARCHAR(71) NOT NULL,
    id    VARCHAR(64) NOT NULL,
    PRIMARY KEY (image, id)
);

-- Starts of containers as their nodes measured them; detail is the record as JSON. Times are from the moment that the
-- start was requested: start_micros until its program started, ready_micros until its readiness was seen, micros until
-- the last file that it read was there. started_hour: since 1970, for sums by hour. saved_estimated: whether saved_micros
-- is an estimate. trace_id: of the start's spans, when they were exported.
CREATE TABLE start_records (
    id              VARCHAR(64) PRIMARY KEY,
    node            VARCHAR(253) NOT NULL,
    started         TIMESTAMP WITH TIME ZONE NOT NULL,
    started_hour    BIGINT NOT NULL,
    received        TIMESTAMP WITH TIME ZONE NOT NULL,
    kind            VARCHAR(16) NOT NULL,
    reason          VARCHAR(1000),
    cold            BOOLEAN NOT NULL,
    image           VARCHAR(71),
    reference       VARCHAR(1000),
    function        VARCHAR(253),
    micros          BIGINT,
    start_micros    BIGINT,
    ready_micros    BIGINT,
    bytes           BIGINT,
    saved_bytes     BIGINT,
    saved_micros    BIGINT,
    saved_estimated BOOLEAN DEFAULT FALSE NOT NULL,
    coverage        DOUBLE PRECISION,
    demanded        INTEGER NOT NULL,
    trace_id        VARCHAR(32),
    detail          BYTEA NOT NULL
);
-- The id orders starts of the same moment, since lists continue after a start.
CREATE INDEX start_records_by_time ON start_records (started DESC, id DESC);
CREATE INDEX start_records_by_image ON start_records (image, started DESC, id DESC);
CREATE INDEX start_records_by_function ON start_records (function, started DESC, id DESC);
CREATE INDEX start_records_by_node ON start_records (node, started DESC, id DESC);
CREATE INDEX start_records_by_kind ON start_records (kind, started DESC, id DESC);

-- The last report of each node, as JSON.
CREATE TABLE nodes (
    name   VARCHAR(253) PRIMARY KEY,
    heard  TIMESTAMP WITH TIME ZONE NOT NULL,
    report BYTEA NOT NULL
);

-- Events of jobs and nodes. number counts the events of one process of a node, so that none is kept twice.
CREATE TABLE events (
    id       BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    happened TIMESTAMP WITH TIME ZONE NOT NULL,
    received TIMESTAMP WITH TIME ZONE NOT NULL,
    source   VARCHAR(8) NOT NULL,
    subject  VARCHAR(253) NOT NULL,
    instance VARCHAR(253),
    number   BIGINT,
    image    VARCHAR(71),
    severity VARCHAR(16) NOT NULL,
    topic    VARCHAR(253) NOT NULL,
    text     VARCHAR(4000) NOT NULL
);
CREATE UNIQUE INDEX events_once ON events (instance, number);
CREATE INDEX events_by_subject ON events (subject, id DESC);
CREATE INDEX events_by_severity ON events (severity, id DESC);
CREATE INDEX events_by_source ON events (source, id DESC);
CREATE INDEX events_by_image ON events (image, id DESC);

-- Services that work on this database. A replica whose beats stand still is dead, and its row is removed.
CREATE TABLE replicas (
    id    VARCHAR(36) PRIMARY KEY,
    beats BIGINT NOT NULL
);

-- Rows to lock, where one replica at a time may continue.
CREATE TABLE locks (name VARCHAR(16) PRIMARY KEY);
INSERT INTO locks (name) VALUES ('traces'), ('trace-files');

-- Tokens of the API. hash: SHA-256 of the secret. scopes: names, separated by commas. expires: NULL for never.
-- used: when it was last presented, written once a minute at most. successor: of an enrolment or of a node's identity,
-- the identity that it was exchanged for.
CREATE TABLE tokens (
    id        VARCHAR(16) PRIMARY KEY,
    name      VARCHAR(253) NOT NULL,
    kind      VARCHAR(16) NOT NULL,
    hash      BYTEA NOT NULL,
    scopes    VARCHAR(100) NOT NULL,
    node      VARCHAR(253),
    created   TIMESTAMP WITH TIME ZONE NOT NULL,
    expires   TIMESTAMP WITH TIME ZONE,
    used      TIMESTAMP WITH TIME ZONE,
    revoked   TIMESTAMP WITH TIME ZONE,
    successor VARCHAR(16)
);
CREATE INDEX tokens_by_node ON tokens (node);

-- Sign-ins to the pages, as Spring Session has them. Times are milliseconds since 1970.
CREATE TABLE page_sessions (
    primary_id            CHAR(36) PRIMARY KEY,
    session_id            CHAR(36) NOT NULL UNIQUE,
    creation_time         BIGINT NOT NULL,
    last_access_time      BIGINT NOT NULL,
    max_inactive_interval INTEGER NOT NULL,
    expiry_time           BIGINT NOT NULL,
    principal_name        VARCHAR(100)
);
CREATE INDEX page_sessions_by_expiry ON page_sessions (expiry_time);

CREATE TABLE page_sessions_attributes (
    session_primary_id CHAR(36) NOT NULL REFERENCES page_sessions (primary_id) ON DELETE CASCADE,
    attribute_name     VARCHAR(200) NOT NULL,
    attribute_bytes    BYTEA NOT NULL,
    PRIMARY KEY (session_primary_id, attribute_name)
);

-- Changes with their author and origin. actor: the ID of a token, or a word for a caller without one; name: that of the
-- actor in messages. state_before, state_after: JSON without secrets; NULL where there was or is no object. Rows are
-- added, and removed by age; nothing changes one.
CREATE TABLE audit_log (
    id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    happened     TIMESTAMP WITH TIME ZONE NOT NULL,
    actor        VARCHAR(512) NOT NULL,
    name         VARCHAR(512) NOT NULL,
    address      VARCHAR(512) NOT NULL,
    action       VARCHAR(32) NOT NULL,
    object       VARCHAR(512) NOT NULL,
    state_before TEXT,
    state_after  TEXT,
    request      VARCHAR(512) NOT NULL
);
CREATE INDEX audit_log_by_time ON audit_log (happened);

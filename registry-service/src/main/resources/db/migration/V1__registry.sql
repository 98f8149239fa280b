-- PostgreSQL dialect; H2 runs it in its PostgreSQL mode.

CREATE TABLE images (
    digest          VARCHAR(71) PRIMARY KEY,
    name            TEXT NOT NULL,
    state           VARCHAR(16) NOT NULL,
    compressed_size BIGINT NOT NULL,
    top_chain       VARCHAR(71) NOT NULL,
    plan            VARCHAR(71),
    error           TEXT,
    created         TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE TABLE image_chains (
    image    VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    chain    VARCHAR(71) NOT NULL,
    PRIMARY KEY (image, position)
);
CREATE INDEX image_chains_by_chain ON image_chains (chain);

CREATE TABLE functions (
    name           VARCHAR(253) PRIMARY KEY,
    reference      TEXT NOT NULL,
    image          VARCHAR(71) NOT NULL REFERENCES images (digest),
    runtime        TEXT,
    readiness_port INTEGER,
    readiness_path TEXT,
    created        TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX functions_by_image ON functions (image);

-- One merged trace per stack of layers; the bytes are in traces/<hex of digest>.
CREATE TABLE traces (
    chain   VARCHAR(71) PRIMARY KEY,
    digest  VARCHAR(71) NOT NULL,
    runs    INTEGER NOT NULL,
    files   INTEGER NOT NULL,
    updated TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE TABLE jobs (
    id       VARCHAR(36) PRIMARY KEY,
    image    VARCHAR(71) NOT NULL,
    state    VARCHAR(16) NOT NULL,
    phase    TEXT NOT NULL,
    done     BIGINT NOT NULL,
    total    BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    error    TEXT,
    created  TIMESTAMP WITH TIME ZONE NOT NULL,
    finished TIMESTAMP WITH TIME ZONE
);
CREATE INDEX jobs_by_state ON jobs (state, created);
CREATE INDEX jobs_by_image ON jobs (image);

-- A plan is a row once all its objects, its metadata images and its own bytes are stored.
CREATE TABLE plans (
    digest    VARCHAR(71) PRIMARY KEY,
    image     VARCHAR(71) NOT NULL,
    top_chain VARCHAR(71) NOT NULL,
    created   TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX plans_by_top_chain ON plans (top_chain);
CREATE INDEX plans_by_image ON plans (image);

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

CREATE TABLE objects (
    digest        BYTEA PRIMARY KEY,
    pack          TEXT NOT NULL,
    pack_offset   BIGINT NOT NULL,
    stored_length BIGINT NOT NULL,
    raw_size      BIGINT NOT NULL
);

-- Metadata images, stored as zstd in metadata/<hex of digest>.
CREATE TABLE metadata_images (
    digest        BYTEA PRIMARY KEY,
    stored_length BIGINT NOT NULL,
    raw_size      BIGINT NOT NULL
);

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

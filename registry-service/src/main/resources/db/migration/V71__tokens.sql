-- Tokens of the API. hash: SHA-256 of the secret. scopes: names, separated by commas. expires: NULL for never.
-- used: when it was last presented, written once a minute at most. successor: of an enrolment or of a node's identity,
-- the identity that it was exchanged for.
CREATE TABLE tokens (
    id        VARCHAR(16) PRIMARY KEY,
    name      VARCHAR(253) NOT NULL,
    kind      VARCHAR(16) NOT NULL,
    hash      BYTEA NOT NULL,
    scopes    VARCHAR(100) NOT NULL,
    tenant    VARCHAR(253) DEFAULT 'default' NOT NULL,
    node      VARCHAR(253),
    created   TIMESTAMP WITH TIME ZONE NOT NULL,
    expires   TIMESTAMP WITH TIME ZONE,
    used      TIMESTAMP WITH TIME ZONE,
    revoked   TIMESTAMP WITH TIME ZONE,
    successor VARCHAR(16)
);
CREATE INDEX tokens_by_node ON tokens (node);

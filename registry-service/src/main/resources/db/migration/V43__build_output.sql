-- What the package managers of builds printed, in parts one behind the other, so that every service can show it.
CREATE TABLE build_output (
    build    VARCHAR(36) NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    bytes    BYTEA NOT NULL,
    PRIMARY KEY (build, position)
);

-- Builds of functions from code.
CREATE TABLE builds (
    id       VARCHAR(36) PRIMARY KEY,
    function VARCHAR(253) NOT NULL,
    runtime  TEXT NOT NULL,
    image    TEXT NOT NULL,
    state    VARCHAR(16) NOT NULL,
    phase    TEXT NOT NULL,
    done     BIGINT NOT NULL,
    total    BIGINT NOT NULL,
    digest   VARCHAR(71),
    error    TEXT,
    created  TIMESTAMP WITH TIME ZONE NOT NULL,
    finished TIMESTAMP WITH TIME ZONE
);
CREATE INDEX builds_by_created ON builds (created);

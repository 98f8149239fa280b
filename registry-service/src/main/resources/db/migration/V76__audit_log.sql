-- Who changed what, from where. actor: the ID of a token or a word for who has none; name: what messages call it.
-- state_before, state_after: JSON without secrets; NULL where there was or is no object. Rows are added, and removed by
-- age; nothing changes one.
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

-- Tenants; NULL where there is no limit. Each other than 'default' has a schema of its own with all tables, of which
-- this one, tokens and replicas stay empty there.
CREATE TABLE tenants (
    name          VARCHAR(40) PRIMARY KEY,
    created       TIMESTAMP WITH TIME ZONE NOT NULL,
    max_functions INTEGER,
    max_bytes     BIGINT,
    max_builds    INTEGER,
    max_requests  INTEGER
);
INSERT INTO tenants (name, created) VALUES ('default', CURRENT_TIMESTAMP);

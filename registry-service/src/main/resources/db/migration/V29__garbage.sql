-- Stored files that no plan needs, and since when.
CREATE TABLE garbage (
    kind  VARCHAR(16) NOT NULL,
    name  TEXT NOT NULL,
    since TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (kind, name)
);

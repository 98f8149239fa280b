-- By what name the store of blobs that belongs to this database is known, and whether the name has been put there.
CREATE TABLE store (
    id     VARCHAR(36),
    placed BOOLEAN NOT NULL
);
INSERT INTO store (id, placed) VALUES (NULL, FALSE);

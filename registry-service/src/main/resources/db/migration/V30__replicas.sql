-- Services that work on this database. One whose beats stand still is dead, and its row goes.
CREATE TABLE replicas (
    id         VARCHAR(36) PRIMARY KEY,
    beats      BIGINT NOT NULL,
    collecting BOOLEAN DEFAULT FALSE NOT NULL
);

-- Who runs a job, and the name of this run: a new one each time that the job is taken.
ALTER TABLE jobs ADD COLUMN owner VARCHAR(36);
ALTER TABLE jobs ADD COLUMN claim VARCHAR(36);
ALTER TABLE builds ADD COLUMN owner VARCHAR(36);

-- Rows to lock, where one service at a time may go on.
CREATE TABLE locks (name VARCHAR(16) PRIMARY KEY);
INSERT INTO locks (name) VALUES ('builds'), ('traces');

-- Counts up when objects get another place, so that every service looks theirs up anew.
CREATE TABLE places (epoch BIGINT NOT NULL);
INSERT INTO places (epoch) VALUES (0);

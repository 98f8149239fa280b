-- What starts read of libraries and runtimes: one row for each library and origin, which is the repository of the images
-- whose starts were traced, or an imported file. detail is a JSON list of files, zstd.
CREATE TABLE library_reads (
    origin    VARCHAR(1000) NOT NULL,
    position  INTEGER NOT NULL,
    ecosystem VARCHAR(64) NOT NULL,
    name      VARCHAR(300) NOT NULL,
    version   VARCHAR(300) NOT NULL,
    functions DOUBLE PRECISION NOT NULL,
    used      DOUBLE PRECISION NOT NULL,
    updated   TIMESTAMP WITH TIME ZONE NOT NULL,
    raw_size  INTEGER NOT NULL,
    detail    BYTEA NOT NULL,
    PRIMARY KEY (origin, position)
);
CREATE INDEX library_reads_by_name ON library_reads (ecosystem, name, updated);

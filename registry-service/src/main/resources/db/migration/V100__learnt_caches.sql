-- Whether a function's traced starts are learnt from.
ALTER TABLE functions ADD COLUMN learn_caches BOOLEAN DEFAULT FALSE NOT NULL;
-- What a start of a stack of layers wrote into caches of its language runtime. blob: a name of blobs; node: that
-- reported the start.
CREATE TABLE learnt_caches (
    chain  VARCHAR(71) PRIMARY KEY,
    blob   VARCHAR(300) NOT NULL,
    node   VARCHAR(253) NOT NULL,
    learnt TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX learnt_caches_by_blob ON learnt_caches (blob);

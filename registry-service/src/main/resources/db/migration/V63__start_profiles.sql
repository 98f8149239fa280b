-- Profiles of starts, the newest of each image and snapshotter; detail is the profile as JSON.
CREATE TABLE start_profiles (
    reference   VARCHAR(1000) NOT NULL,
    snapshotter VARCHAR(253) NOT NULL,
    taken       TIMESTAMP WITH TIME ZONE NOT NULL,
    detail      BYTEA NOT NULL,
    PRIMARY KEY (reference, snapshotter)
);

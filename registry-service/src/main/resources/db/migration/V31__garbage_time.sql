-- How long something has not been needed is counted in time that was seen to pass, not by the clock, which may jump.
DELETE FROM garbage;
ALTER TABLE garbage DROP COLUMN since;
ALTER TABLE garbage ADD COLUMN since BIGINT NOT NULL;

CREATE TABLE garbage_time (
    seen BIGINT NOT NULL,
    last TIMESTAMP WITH TIME ZONE
);
INSERT INTO garbage_time (seen, last) VALUES (0, NULL);

-- The layers of images as stored; images from before have none until they are registered again.
CREATE TABLE image_layers (
    image VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    layer VARCHAR(71) NOT NULL,
    PRIMARY KEY (image, layer)
);

-- Plans that are predicted before the first start of their image. A plan names its prediction in the place of a trace.
CREATE TABLE predictions (
    digest   VARCHAR(71) PRIMARY KEY,
    image    VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    created  TIMESTAMP WITH TIME ZONE NOT NULL,
    raw_size INTEGER NOT NULL,
    detail   BYTEA NOT NULL
);
CREATE INDEX predictions_by_image ON predictions (image);
-- No reference: plans are removed with their image, too.
ALTER TABLE plans ADD COLUMN prediction VARCHAR(71);

-- Where earlier images of an image are looked for: its repository, and the functions that it was registered with.
ALTER TABLE images ADD COLUMN repository TEXT;
UPDATE images SET repository = REGEXP_REPLACE(name, '(:[^/:@]*)?(@sha256:[0-9a-f]*)?$', '');
CREATE INDEX images_by_repository ON images (repository);
CREATE TABLE function_images (
    function VARCHAR(253) NOT NULL,
    image    VARCHAR(71) NOT NULL REFERENCES images (digest) ON DELETE CASCADE,
    PRIMARY KEY (function, image)
);
CREATE INDEX function_images_by_image ON function_images (image);
INSERT INTO function_images (function, image) SELECT name, image FROM functions;

-- How many of an image's lowest layers the registry that has it was seen to have, byte for byte.
ALTER TABLE images ADD COLUMN shown_layers INTEGER DEFAULT 0 NOT NULL;
UPDATE images SET shown_layers = (SELECT COUNT(*) FROM image_chains c WHERE c.image = images.digest) WHERE plan IS NOT NULL;

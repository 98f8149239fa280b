-- Blobs that are stored or about to be, as folder/name. unneeded: since when it was seen that nothing needs it, in the
-- time of garbage_time; NULL while something does, and until the next search. What was stored before follows here, and
-- metadata images in V62; the first garbage collection reads the plans for what they need.
CREATE TABLE blobs (
    name     VARCHAR(300) PRIMARY KEY,
    unneeded BIGINT
);
CREATE INDEX blobs_by_unneeded ON blobs (unneeded);
INSERT INTO blobs (name, unneeded)
    SELECT CASE kind WHEN 'PACK' THEN 'packs/' WHEN 'METADATA' THEN 'metadata/' WHEN 'PLAN' THEN 'plans/'
        WHEN 'TRACE' THEN 'traces/' ELSE 'layers/' END || name, since FROM garbage;
INSERT INTO blobs (name) SELECT DISTINCT 'packs/' || pack FROM objects ON CONFLICT DO NOTHING;
INSERT INTO blobs (name) SELECT 'plans/' || SUBSTRING(digest FROM 8) FROM plans ON CONFLICT DO NOTHING;
INSERT INTO blobs (name) SELECT DISTINCT 'traces/' || SUBSTRING(digest FROM 8) FROM traces ON CONFLICT DO NOTHING;
INSERT INTO blobs (name) SELECT DISTINCT 'layers/' || SUBSTRING(layer FROM 8) FROM image_layers
    ON CONFLICT DO NOTHING;
DROP TABLE garbage;

-- The blobs that a plan needs: its file, its metadata images and the packs of its objects.
CREATE TABLE plan_blobs (
    plan VARCHAR(71) NOT NULL REFERENCES plans (digest) ON DELETE CASCADE,
    blob VARCHAR(300) NOT NULL REFERENCES blobs (name),
    PRIMARY KEY (plan, blob)
);
CREATE INDEX plan_blobs_by_blob ON plan_blobs (blob);
CREATE INDEX traces_by_digest ON traces (digest);
CREATE INDEX image_layers_by_layer ON image_layers (layer);

-- A damaged object keeps its row: when it is stored again, plans that need the old pack need the new one, too.
ALTER TABLE objects ADD COLUMN damaged BOOLEAN DEFAULT FALSE NOT NULL;

-- Jobs and the removal of garbage no longer exclude each other.
ALTER TABLE replicas DROP COLUMN collecting;

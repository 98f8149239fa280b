-- Nodes report a start once, as a record; what it missed is learnt from there.
DROP TABLE reported_starts;
DROP TABLE starts;

-- Starts of start_records whose misses are not counted for their images yet. No reference to images: nobody waits for an image's row.
CREATE TABLE unlearnt_starts (
    image VARCHAR(71) NOT NULL,
    id    VARCHAR(64) NOT NULL,
    PRIMARY KEY (image, id)
);

-- No node ever reported a rank.
ALTER TABLE missed_objects DROP COLUMN rank_starts;
ALTER TABLE missed_objects DROP COLUMN rank_sum;

-- The index that named the image's manifest when it was registered, and the last check against the policy of signatures
-- that the image passed (JSON); NULL where there was none.
ALTER TABLE images ADD COLUMN index_digest VARCHAR(71);
ALTER TABLE images ADD COLUMN signature TEXT;

-- When an image whose job failed for a reason that may pass is queued again.
ALTER TABLE images ADD COLUMN retry TIMESTAMP WITH TIME ZONE;
CREATE INDEX images_by_retry ON images (retry);

-- A job that failed for a reason that may pass waits in the queue until it is due.
ALTER TABLE jobs ADD COLUMN retries INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE jobs ADD COLUMN due TIMESTAMP WITH TIME ZONE;

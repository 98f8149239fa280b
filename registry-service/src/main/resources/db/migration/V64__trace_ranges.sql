-- How many of the runs of a trace at least showed which parts of a large file they read.
ALTER TABLE traces ADD COLUMN range_runs INTEGER DEFAULT 0 NOT NULL;

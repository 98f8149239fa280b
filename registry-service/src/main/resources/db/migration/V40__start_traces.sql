-- By which trace a start's spans are found at a collector, when they were recorded.
ALTER TABLE start_records ADD COLUMN trace_id VARCHAR(32);

-- When the function was ready, from the moment that its start was asked for.
ALTER TABLE start_records ADD COLUMN ready_micros BIGINT;

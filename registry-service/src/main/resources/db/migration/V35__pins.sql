-- The plan that a pinned function's image keeps.
ALTER TABLE functions ADD COLUMN pinned_plan VARCHAR(71);
CREATE INDEX functions_by_pinned_plan ON functions (pinned_plan);

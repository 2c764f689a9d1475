-- When the books learnt of an observation, once there was a run; NULL: before, when the time of its source counts.
ALTER TABLE observations ADD COLUMN learnt_at INTEGER;

-- What the books learn is dated after the latest of these: asked by every write that learns something.
CREATE INDEX reconciliation_runs_as_at ON reconciliation_runs (as_at);

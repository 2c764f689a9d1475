-- What the watch needs to judge by what is now.

-- JSON: when a notice last told each of the latest reasons; each has a cool-down of its own.
ALTER TABLE alerts ADD COLUMN noticed_reasons TEXT NOT NULL DEFAULT '{}';

-- The process of a run: one that is gone holds nothing. NULL: a run of an earlier version.
ALTER TABLE job_runs ADD COLUMN machine TEXT;
ALTER TABLE job_runs ADD COLUMN pid INTEGER;

-- Whether the service answers, by the latest status checks of each environment.
CREATE TABLE service_answers (
  environment TEXT PRIMARY KEY CHECK (environment IN ('test', 'live')),
  -- The latest check that it answered, with a status or without one.
  answered_at INTEGER,
  -- The first check since then that it did not answer; null: the latest was answered.
  failing_since INTEGER,
  -- The latest of these, and how it ended.
  failed_at INTEGER,
  outcome TEXT
) STRICT, WITHOUT ROWID;

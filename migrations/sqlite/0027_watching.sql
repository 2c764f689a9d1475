-- How well things went: a row at each run of the health job, for five weeks.
CREATE TABLE health_samples (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  -- JSON: how many acknowledgements took up to each bound, and longer; NULL: no serve ran the job.
  acks TEXT,
  -- Requests so far.
  refused INTEGER NOT NULL,
  -- Records first seen in the last 7 days that are settled, and those that a status check settled first.
  settled INTEGER NOT NULL,
  swept INTEGER NOT NULL,
  database_bytes INTEGER NOT NULL,
  log_bytes INTEGER NOT NULL,
  -- Of the disk of the database; NULL where it cannot be asked.
  free_bytes INTEGER
) STRICT;

CREATE INDEX health_samples_at ON health_samples (at);

-- What a person has looked at of what was turned away or not understood, and who did last.
CREATE TABLE seen_marks (
  list TEXT PRIMARY KEY CHECK (list = 'refused' OR list = 'quarantine'),
  -- What came later is new.
  up_to INTEGER NOT NULL,
  seen_by TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;

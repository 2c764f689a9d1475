-- Deliveries are acknowledged from a log, a file beside this one, and carried out into these tables.

-- How far the log is carried out. Without an installation there was no log yet: the next start of the receiver makes one.
CREATE TABLE carried_out (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  installation TEXT,
  seq INTEGER NOT NULL
) STRICT;

INSERT INTO carried_out (id, installation, seq) VALUES (1, NULL, 0);

-- What could not be carried out, with its bytes: one delivery of an entry, or the whole entry (without a place).
CREATE TABLE aside (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  place INTEGER,
  set_aside_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  environment TEXT CHECK (environment IN ('test', 'live')),
  key_id TEXT,
  received_at INTEGER,
  bytes BLOB NOT NULL
) STRICT;

-- Contents that an earlier version kept and did not observe. The next carrying out observes them; then it stays empty.
CREATE TABLE unapplied (
  source TEXT NOT NULL CHECK (source IN ('events', 'variants')),
  id INTEGER NOT NULL,
  PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;

INSERT INTO unapplied (source, id)
SELECT 'events', id FROM events WHERE id > (SELECT last_id FROM apply_progress WHERE source = 'events')
UNION ALL
SELECT 'variants', id FROM variants WHERE id > (SELECT last_id FROM apply_progress WHERE source = 'variants');

DROP TABLE apply_progress;

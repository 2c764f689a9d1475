-- A database that carries out the log which several machines share. Without `cluster` it has a log of its own.

-- The installation of the shared log, and what was last seen of it.
ALTER TABLE carried_out ADD COLUMN cluster TEXT;
ALTER TABLE carried_out ADD COLUMN epoch INTEGER;
ALTER TABLE carried_out ADD COLUMN timeline INTEGER;
-- The id of this copy of the database, drawn when it joined.
ALTER TABLE carried_out ADD COLUMN node TEXT;
-- Entries that were carried out before the shared log began: entry 1 of that counts as this number plus 1.
ALTER TABLE carried_out ADD COLUMN base INTEGER;
-- The last entry carried out: its chain and its time.
ALTER TABLE carried_out ADD COLUMN chain BLOB;
ALTER TABLE carried_out ADD COLUMN at INTEGER;
-- The program whose rules decide, and the settings that all machines share (JSON).
ALTER TABLE carried_out ADD COLUMN version TEXT;
ALTER TABLE carried_out ADD COLUMN settings TEXT;
-- The digest of all that was written, and as it was at the last entry where machines compare it.
ALTER TABLE carried_out ADD COLUMN digest BLOB;
ALTER TABLE carried_out ADD COLUMN compared_seq INTEGER;
ALTER TABLE carried_out ADD COLUMN compared_digest BLOB;
-- Why nothing is carried out any more; NULL while it is.
ALTER TABLE carried_out ADD COLUMN stopped TEXT;

-- The answers of this machine's own calls, until the callers have read them.
CREATE TABLE answers (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  returned TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX answers_seq ON answers (seq);

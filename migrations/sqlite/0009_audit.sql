-- The audit chain: what persons did and what runs changed, each entry with the hash of the one before. Rows are only added.
CREATE TABLE audit_entries (
  -- From 1, without gaps.
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- The stated name; `tallyhook` for runs and jobs.
  who TEXT NOT NULL,
  act TEXT NOT NULL,
  -- Such as statement:3.
  subject TEXT NOT NULL,
  -- sha256 (hex) of the rows of the subject, before and after; null: none.
  before TEXT,
  after TEXT,
  -- The hash of the entry before; null: the first one.
  previous TEXT,
  -- sha256 (hex) of the canonical JSON of the other eight columns.
  hash TEXT NOT NULL
) STRICT;

CREATE INDEX audit_entries_subject ON audit_entries (subject, seq);

-- The subjects of an entry that covers many, such as those of a run: its own before and after are digests of this list.
CREATE TABLE audit_touched (
  seq INTEGER NOT NULL REFERENCES audit_entries (seq),
  subject TEXT NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (seq, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_touched_subject ON audit_touched (subject, seq);

-- The last entry, signed by the key that lies outside the database.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- HMAC-SHA256 (hex).
  signature TEXT NOT NULL
) STRICT;

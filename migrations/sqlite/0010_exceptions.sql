-- The breaks of all runs as a work queue: exceptions, one per identity for ever, and what was done about them.

-- The day by which a break belongs to a period: of the row of ours or the line that it names. A run keeps those that it carries
-- from earlier days behind the others.
ALTER TABLE kept_breaks ADD COLUMN date TEXT NOT NULL DEFAULT '';
ALTER TABLE kept_breaks ADD COLUMN carried INTEGER NOT NULL DEFAULT 0;

-- Whole runs, and how far the queue was brought in line with each. One after the other, in the order of their numbers.
CREATE TABLE run_follows (
  run_id INTEGER PRIMARY KEY REFERENCES reconciliation_runs (id),
  -- What the run compared, as JSON: it touches no other exception.
  scope TEXT NOT NULL,
  -- Reading what it found, then looking for what it found no more; behind which row.
  phase TEXT NOT NULL CHECK (phase = 'found' OR phase = 'gone' OR phase = 'done'),
  place INTEGER NOT NULL DEFAULT 0,
  -- Exceptions that it changed.
  changed INTEGER NOT NULL DEFAULT 0,
  followed_at INTEGER
) STRICT;

CREATE INDEX run_follows_left ON run_follows (run_id) WHERE phase <> 'done';

-- What resolutions said, each for ever; an exception names the one that holds.
CREATE TABLE exception_resolutions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  exception_number INTEGER NOT NULL REFERENCES exceptions (number),
  resolution TEXT NOT NULL
    CHECK (resolution = 'accept' OR resolution = 'claim' OR resolution = 'match' OR resolution = 'undo_match' OR resolution = 'carry' OR resolution = 'ours'),
  reason_code TEXT,
  -- Of the claim or the correction.
  reference TEXT,
  follow_up TEXT,
  -- Names and sha256 (hex) of files, as a JSON list.
  attachments TEXT NOT NULL,
  -- Lines that it names, as a JSON list; of a claim, the one that paid it.
  lines TEXT NOT NULL,
  -- What was resolved, as text.
  ours TEXT,
  theirs TEXT,
  variance TEXT,
  effect TEXT NOT NULL,
  resolved_by TEXT NOT NULL,
  resolved_at INTEGER NOT NULL,
  -- `needed` until a second person gives it; null: not needed.
  approval TEXT CHECK (approval = 'needed' OR approval = 'given'),
  approved_by TEXT,
  approved_at INTEGER,
  -- Of `carry`: the last day of its period. A run that begins later finds it open again.
  carried_until TEXT
) STRICT;

CREATE INDEX exception_resolutions_of ON exception_resolutions (exception_number);
CREATE INDEX exception_resolutions_paid ON exception_resolutions (id) WHERE resolution = 'claim' AND lines <> '[]';

CREATE TABLE exceptions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- x- and 24 hex digits: what the break is about.
  id TEXT NOT NULL UNIQUE,
  -- The break as it was last seen.
  code TEXT NOT NULL,
  sub TEXT,
  leg TEXT,
  side TEXT NOT NULL CHECK (side IN ('ours', 'theirs')),
  kind TEXT
    CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'batch' OR kind = 'top_up'),
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  account TEXT,
  reference TEXT,
  field_name TEXT,
  currency TEXT,
  ours TEXT,
  theirs TEXT,
  variance TEXT,
  effect TEXT NOT NULL,
  statement_id INTEGER,
  row INTEGER,
  fingerprint BLOB,
  occurrence INTEGER,
  candidates TEXT NOT NULL,
  date TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  reason TEXT NOT NULL,
  next_step TEXT NOT NULL,
  record_id INTEGER,
  -- sha256 (hex) of what a resolution rests on: another one opens it again.
  evidence TEXT NOT NULL,
  -- The variance, else the effect, without its sign, in minor units; null: it needs more than 64 bits.
  value_minor INTEGER,
  version INTEGER NOT NULL,
  status TEXT NOT NULL
    CHECK (status = 'open' OR status = 'assigned' OR status = 'resolved' OR status = 'closed' OR status = 'reopened'),
  assignee TEXT,
  -- The one that holds.
  resolution_id INTEGER REFERENCES exception_resolutions (id),
  -- The last one.
  comment_id INTEGER REFERENCES exception_comments (id),
  first_run INTEGER NOT NULL REFERENCES reconciliation_runs (id),
  changed_by TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  -- By which a list is ordered.
  place TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX exceptions_place ON exceptions (place);
CREATE INDEX exceptions_open ON exceptions (place) WHERE status <> 'closed';
CREATE INDEX exceptions_left ON exceptions (number) WHERE status <> 'closed';
CREATE INDEX exceptions_reference ON exceptions (reference, account, effect, id) WHERE reference IS NOT NULL;

-- The last run that found each exception: rewritten by every run, and so kept apart from what is entered in the audit.
CREATE TABLE exception_sightings (
  exception_number INTEGER PRIMARY KEY REFERENCES exceptions (number),
  run_id INTEGER NOT NULL REFERENCES reconciliation_runs (id),
  carried INTEGER NOT NULL
) STRICT;

CREATE TABLE exception_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  exception_number INTEGER NOT NULL REFERENCES exceptions (number),
  -- Null: it was erased.
  text TEXT,
  said_by TEXT NOT NULL,
  said_at INTEGER NOT NULL
) STRICT;

CREATE INDEX exception_comments_of ON exception_comments (exception_number);

-- Everything that happened to an exception, one row per version.
CREATE TABLE exception_log (
  exception_number INTEGER NOT NULL REFERENCES exceptions (number),
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- A run is `tallyhook`.
  who TEXT NOT NULL,
  act TEXT NOT NULL
    CHECK (act = 'assign' OR act = 'comment' OR act = 'resolve' OR act = 'match' OR act = 'undo_match' OR act = 'pay' OR act = 'reopen' OR act = 'approve' OR act = 'import' OR act = 'found' OR act = 'changed' OR act = 'gone' OR act = 'returned' OR act = 'carried' OR act = 'carried_again'),
  -- Null: it was not there.
  before TEXT
    CHECK (before = 'open' OR before = 'assigned' OR before = 'resolved' OR before = 'closed' OR before = 'reopened'),
  after TEXT NOT NULL
    CHECK (after = 'open' OR after = 'assigned' OR after = 'resolved' OR after = 'closed' OR after = 'reopened'),
  run_id INTEGER REFERENCES reconciliation_runs (id),
  assignee TEXT,
  comment_id INTEGER REFERENCES exception_comments (id),
  resolution_id INTEGER REFERENCES exception_resolutions (id),
  ours TEXT,
  theirs TEXT,
  variance TEXT,
  effect TEXT NOT NULL,
  PRIMARY KEY (exception_number, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX exception_log_run ON exception_log (run_id) WHERE run_id IS NOT NULL;

-- Spreadsheets of which at least one row was applied: a second import of one changes nothing.
CREATE TABLE exception_sheets (
  -- sha256 (hex) of the file.
  digest TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  imported_by TEXT NOT NULL,
  imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Imports of spreadsheets under way: a file is imported by one process at a time.
CREATE TABLE exception_sheet_imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- sha256 (hex) of the file.
  digest TEXT NOT NULL UNIQUE,
  leased_until INTEGER NOT NULL,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL
) STRICT;

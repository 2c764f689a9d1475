-- The inbox: every authentic event once, with its bytes as received.

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- The dedupe key, never null: UNIQUE does not compare NULLs.
  event TEXT NOT NULL,
  reference TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- A chain of comparisons, here and below: for IN with three values or more the engine makes a table at every insert.
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'unknown'),
  state TEXT NOT NULL CHECK (state = 'observed' OR state = 'unknown' OR state = 'quarantined'),
  quarantine TEXT
    CHECK (quarantine = 'unreadable_body' OR quarantine = 'no_reference' OR quarantine = 'other_environment'),
  -- The one status that its contents claim, written when they are kept. Before `body`, or a read would go through it.
  status TEXT,
  body BLOB NOT NULL,
  -- sha256 of `body`, compared at every read, so that a damaged row cannot pass for a good one.
  body_digest BLOB NOT NULL,
  key_id TEXT NOT NULL,
  merchant_signature TEXT NOT NULL CHECK (merchant_signature IN ('verified', 'absent')),
  -- The `timestamp` header: unsigned, for display only.
  sent_at TEXT,
  received_at INTEGER NOT NULL,
  last_received_at INTEGER NOT NULL,
  -- Deliveries under this key, those of its variants included.
  deliveries INTEGER NOT NULL DEFAULT 1,
  -- The time comes first: events arrive roughly in its order, so inserts touch a few hot pages instead of a random page
  -- each. Events of a reference are found through their record, or through the index below.
  UNIQUE (updated_at, event, reference, environment)
) STRICT;

CREATE INDEX events_without_record ON events (reference) WHERE state <> 'observed';

-- Other contents under an event's key.
CREATE TABLE variants (
  id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL REFERENCES events (id),
  -- sha256 (hex) of the canonical JSON: two encodings of one content are one variant.
  content_digest TEXT NOT NULL,
  -- As that of an event.
  quarantine TEXT
    CHECK (quarantine = 'unreadable_body' OR quarantine = 'no_reference' OR quarantine = 'other_environment'),
  body BLOB NOT NULL,
  body_digest BLOB NOT NULL,
  key_id TEXT NOT NULL,
  merchant_signature TEXT NOT NULL CHECK (merchant_signature IN ('verified', 'absent')),
  sent_at TEXT,
  received_at INTEGER NOT NULL,
  last_received_at INTEGER NOT NULL,
  deliveries INTEGER NOT NULL DEFAULT 1,
  UNIQUE (event_id, content_digest)
) STRICT;

-- Requests that were refused: counters and a fixed number of samples, never a body.
CREATE TABLE refusals (
  path TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (path, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE refusal_samples (
  slot INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  path TEXT NOT NULL,
  reason TEXT NOT NULL,
  remote_address TEXT,
  content_length INTEGER,
  user_agent TEXT
) STRICT;

-- Refused requests that carry signatures, one row per environment and likeness however many come: `refused-run.ts` judges them.
CREATE TABLE refused_runs (
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  likeness TEXT NOT NULL CHECK (likeness = 'ours' OR likeness = 'not_kept' OR likeness = 'merchant_only' OR likeness = 'signed'),
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  -- Of the latest, as requested; made printable and cut.
  path TEXT NOT NULL,
  PRIMARY KEY (environment, likeness)
) STRICT, WITHOUT ROWID;

-- When deliveries of each channel came, so that the latest is known without reading the events.
CREATE TABLE arrivals (
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'unknown'),
  deliveries INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- Sums over the gaps between groups of deliveries, in milliseconds and their squares; older gaps count less.
  gap_sum REAL NOT NULL,
  gap_squares REAL NOT NULL,
  PRIMARY KEY (environment, kind)
) STRICT, WITHOUT ROWID;

-- The processes that receive, each with its latest sign of life; the newest twenty stay.
CREATE TABLE receivers (
  id INTEGER PRIMARY KEY,
  -- Names the process, for a person.
  holder TEXT NOT NULL,
  -- The machine and its process ids' namespace: only there does `pid` mean this process.
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- Null while it runs, and after it ended without stopping in order.
  stopped_at INTEGER
) STRICT;

-- The last applied event and variant; both are applied in the order of their ids.
CREATE TABLE apply_progress (
  source TEXT PRIMARY KEY CHECK (source IN ('events', 'variants')),
  last_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO apply_progress (source, last_id) VALUES ('events', 0), ('variants', 0);

-- The inbox: every authentic event once, with the bytes as they came.

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- The dedupe key, never null: a NULL would slip past UNIQUE.
  event TEXT NOT NULL,
  reference TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- Written out, here and in what follows: of IN with three values or more the engine makes a table at every insert.
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'unknown'),
  state TEXT NOT NULL CHECK (state = 'observed' OR state = 'unknown' OR state = 'quarantined'),
  quarantine TEXT
    CHECK (quarantine = 'unreadable_body' OR quarantine = 'no_reference' OR quarantine = 'other_environment'),
  body BLOB NOT NULL,
  -- sha256 of the bytes in `body`: read back with them, so that a damaged row cannot pass for a good one.
  body_digest BLOB NOT NULL,
  key_id TEXT NOT NULL,
  merchant_signature TEXT NOT NULL CHECK (merchant_signature IN ('verified', 'absent')),
  -- The unsigned `timestamp` header: advisory.
  sent_at TEXT,
  received_at INTEGER NOT NULL,
  last_received_at INTEGER NOT NULL,
  -- Deliveries under this key, those of its variants included.
  deliveries INTEGER NOT NULL DEFAULT 1,
  -- The time leads: events arrive roughly in its order, so that inserts touch a few hot pages instead of one random page
  -- each. By reference, events are found through their record, or through the index below.
  UNIQUE (updated_at, event, reference, environment)
) STRICT;

CREATE INDEX events_without_record ON events (reference) WHERE state <> 'observed';

-- Other contents under an event's key.
CREATE TABLE variants (
  id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL REFERENCES events (id),
  -- sha256 (hex) of the canonical JSON: two encodings of one content are one variant.
  content_digest TEXT NOT NULL,
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

-- What was answered 401, 405, 413 or 415: counters and a fixed number of samples, never a body.
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

-- How far events and variants have become observations; both are applied in the order of their ids.
CREATE TABLE apply_progress (
  source TEXT PRIMARY KEY CHECK (source IN ('events', 'variants')),
  last_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO apply_progress (source, last_id) VALUES ('events', 0), ('variants', 0);

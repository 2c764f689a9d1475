-- What is handed on to the merchant's applications: the targets that get news, and a row for each piece of it.

-- What selects the news of each target, taken over from the configuration when `serve` starts, so that every process that
-- confirms writes the same rows. Never a URL, never a secret.
CREATE TABLE forward_targets (
  name TEXT PRIMARY KEY,
  -- JSON lists of words.
  environments TEXT NOT NULL,
  kinds TEXT NOT NULL,
  moment TEXT NOT NULL CHECK (moment IN ('confirmed', 'received')),
  news TEXT NOT NULL CHECK (news IN ('settled', 'every')),
  -- JSON list of names; NULL: every event of a known kind.
  events TEXT,
  -- 1: the configuration names it. 0: it is gone, its open rows are orphaned, and it gets no new ones.
  present INTEGER NOT NULL CHECK (present IN (0, 1)),
  planned_at INTEGER NOT NULL,
  -- With `received`: applied events up to this id have their rows. Rows of later ones are written when the target is looked at, so
  -- that applying does not pay for them.
  events_until INTEGER NOT NULL,
  -- Since when the target wants nothing more (410); nothing leaves until a person enables it.
  disabled_at INTEGER,
  -- Nothing leaves before (Retry-After of a 429 or 503).
  held_until INTEGER,
  -- When that hold began, and the status that asked for it.
  held_at INTEGER,
  held_status INTEGER,
  -- How often a person asked to try at once: ends the rest of a circuit breaker in every process.
  nudges INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- One row per target and piece of news, written in the transaction that moves the record.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  -- `msg_` and 32 hexadecimal digits, random: a restored database must not use one again for other news.
  webhook_id TEXT NOT NULL,
  target TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'unknown'),
  reference TEXT NOT NULL,
  -- NULL for an event of no known kind, which makes no record.
  record_id INTEGER,
  -- `n` of the confirmed move in `history`; NULL for a received event.
  n INTEGER,
  -- The received event; NULL for a confirmed move.
  event_id INTEGER REFERENCES events (id),
  -- 0, or the number of the replay that wrote the row.
  replay INTEGER NOT NULL,
  type TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state = 'waiting' OR state = 'failing' OR state = 'dead' OR state = 'superseded' OR state = 'delivered' OR state = 'dropped'),
  -- 1: the oldest open row of its record and target, the only one that may leave.
  is_first INTEGER NOT NULL CHECK (is_first IN (0, 1)),
  created_at INTEGER NOT NULL,
  -- While a lease lasts, its end: after a crash nothing needs to be cleaned up.
  due_at INTEGER NOT NULL,
  -- Attempts begun: the counter of the lease. An attempt that ends under an older one writes nothing.
  attempts INTEGER NOT NULL DEFAULT 0,
  first_attempt_at INTEGER,
  last_attempt_at INTEGER,
  leased_until INTEGER,
  -- Of the latest ended attempt.
  outcome TEXT,
  -- The webhook_id of the newer row.
  superseded_by TEXT,
  -- When it was delivered, superseded or dropped, or became a dead letter.
  ended_at INTEGER,
  -- sha256 (hex) of the payload, once it is built.
  digest TEXT,
  -- Built before the first attempt, the same for every attempt, gone once delivered or dropped.
  payload BLOB
) STRICT;

CREATE UNIQUE INDEX outbox_webhook_id ON outbox (webhook_id);
CREATE UNIQUE INDEX outbox_move ON outbox (record_id, kind, target, n, replay) WHERE n IS NOT NULL;
CREATE UNIQUE INDEX outbox_event ON outbox (event_id, target, replay) WHERE event_id IS NOT NULL;
-- The queue of a record.
CREATE INDEX outbox_queue ON outbox (reference, target, kind, environment, id);
-- What may leave, the earliest first; and what is under way.
CREATE INDEX outbox_due ON outbox (target, due_at) WHERE is_first = 1;
CREATE INDEX outbox_leased ON outbox (target, leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX outbox_state ON outbox (state, target) WHERE state <> 'delivered';

-- The latest attempts of a row.
CREATE TABLE outbox_attempts (
  outbox_id INTEGER NOT NULL REFERENCES outbox (id),
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  -- NULL while it is under way.
  ended_at INTEGER,
  outcome TEXT,
  -- HTTP status of the answer.
  status INTEGER,
  -- What went wrong, for a person: never a secret, never a body.
  detail TEXT,
  PRIMARY KEY (outbox_id, attempt)
) STRICT, WITHOUT ROWID;

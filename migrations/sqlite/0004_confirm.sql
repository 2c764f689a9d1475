-- Status checks and when the next one is due, and refunds that no webhook announced.

-- Environment first: due records of an environment without a key must not slow down the search in the other one.
CREATE INDEX refunds_due ON refunds (environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payouts_due ON payouts (environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX collections_due ON collections (environment, due_at) WHERE due_at IS NOT NULL;

-- For reading everything about one reference: closed findings, and requests without a record.
CREATE INDEX findings_record ON findings (kind, record_id);
-- For counting open findings without reading them.
CREATE INDEX findings_open_code ON findings (code, environment, kind) WHERE closed_at IS NULL;
CREATE INDEX requests_reference ON requests (reference);

-- Of an answer (witness `api`): sha256 (hex) of its canonical JSON.
ALTER TABLE observations ADD COLUMN content_digest TEXT;

-- Counters that never go back: they order checks and runs, and a holder with an older counter writes nothing.
CREATE TABLE counters (
  name TEXT PRIMARY KEY CHECK (name IN ('check', 'job')),
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (name, value) VALUES ('check', 0), ('job', 0);

-- The state of a record's status checks; the first check makes the row.
CREATE TABLE checks (
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  -- Counter of the latest check; a check finished under another counter is refused.
  counter INTEGER NOT NULL,
  -- When the latest check was leased.
  started_at INTEGER NOT NULL,
  -- Null: no check is under way.
  leased_until INTEGER,
  -- Checks since there was news of the record, except those failed by an unproven endpoint or a refused key.
  attempts INTEGER NOT NULL,
  -- Of these, the latest ones without a usable answer.
  failures INTEGER NOT NULL DEFAULT 0,
  -- Of the latest finished check.
  outcome TEXT,
  detail TEXT,
  outcome_at INTEGER,
  -- Since when the confirmed status is settled; watching counts from here.
  settled_at INTEGER,
  -- Since when the attempts are used up and no check is due.
  stuck_at INTEGER,
  PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

-- Unsettled records, and records that cannot be confirmed and are not stuck for that reason. Only checks change these
-- indexes, so that receiving a webhook costs nothing more.
CREATE INDEX checks_unsettled ON checks (kind, record_id)
  WHERE settled_at IS NULL AND (outcome IS NULL OR outcome NOT IN ('unproven', 'unconfirmable'));
CREATE INDEX checks_unconfirmed ON checks (kind, record_id)
  WHERE settled_at IS NULL AND outcome IN ('unproven', 'unconfirmable');
CREATE INDEX checks_key_refused ON checks (kind, record_id) WHERE outcome = 'key_refused';
CREATE INDEX checks_stuck ON checks (stuck_at) WHERE stuck_at IS NOT NULL;

-- The latest check of each environment that the service answered with our key, and the latest for which it refused the key.
CREATE TABLE key_answers (
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  answer TEXT NOT NULL CHECK (answer IN ('accepted', 'refused')),
  counter INTEGER NOT NULL,
  PRIMARY KEY (environment, answer)
) STRICT, WITHOUT ROWID;

-- What the merchant expects, so that its absence or another amount becomes a finding.
CREATE TABLE tracked (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  amount_minor INTEGER,
  currency TEXT,
  -- A record without an observation by then is a finding; null: no date.
  expected_by INTEGER,
  tracked_at INTEGER NOT NULL,
  -- When the passing of time changes its findings; null: never again.
  review_at INTEGER,
  UNIQUE (kind, record_id)
) STRICT;

CREATE INDEX tracked_review ON tracked (review_at) WHERE review_at IS NOT NULL;

-- Each walk along the service's list of refunds.
CREATE TABLE backfills (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- Refunds without a change since then are not judged by their absence.
  since INTEGER NOT NULL,
  -- The newest known refund at the start: a later one may be on a page that was read before.
  newest_refund INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- Null while it runs, and after its process ended without finishing it.
  outcome TEXT
    CHECK (outcome = 'complete' OR outcome = 'resumed' OR outcome = 'unreadable' OR outcome = 'limited' OR outcome = 'stopped' OR outcome = 'failed'),
  detail TEXT,
  rows_seen INTEGER NOT NULL DEFAULT 0,
  rows_unreadable INTEGER NOT NULL DEFAULT 0,
  records_created INTEGER NOT NULL DEFAULT 0,
  -- 1: complete, and `since` leaves no gap after the last such walk. The next walk looks back to its start.
  covers INTEGER NOT NULL DEFAULT 0 CHECK (covers IN (0, 1)),
  -- The query of the page that it began with: of the first page of the list, or of the last one of a walk that was cut short.
  first_page TEXT NOT NULL,
  -- The query of the last page whose rows are all written, and when that was. A walk that is cut short is gone on with there.
  last_page TEXT,
  last_page_at INTEGER
) STRICT;

-- When a refund was last listed, and how many complete walks in a row have missed it. Walks are compared by id, not by
-- time: of two that overlap, both may see a refund, and only one counts its absence.
CREATE TABLE refund_listings (
  record_id INTEGER PRIMARY KEY REFERENCES refunds (id),
  -- The newest walk begun before it was last listed; null: never listed.
  listed_in INTEGER REFERENCES backfills (id),
  listed_at INTEGER,
  absences INTEGER NOT NULL DEFAULT 0,
  -- The newest walk begun before its last absence was counted.
  missed_in INTEGER REFERENCES backfills (id)
) STRICT;

-- When each job runs, in UTC. The schedule's process only reads this and runs what is due.
CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  -- The source of next_run_at; another schedule or zone in the configuration computes it again.
  schedule TEXT,
  zone TEXT,
  -- The clock when next_run_at was computed. A clock that is a whole interval before this was wrong then.
  planned_from INTEGER,
  next_run_at INTEGER,
  -- The counter of the run that holds, or last held, the job; a run with an older counter writes nothing.
  run INTEGER NOT NULL DEFAULT 0,
  leased_until INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE job_runs (
  run INTEGER PRIMARY KEY,
  job TEXT NOT NULL REFERENCES jobs (name),
  cause TEXT NOT NULL CHECK (cause IN ('schedule', 'command')),
  -- Names the process, for a person.
  holder TEXT NOT NULL,
  -- The time it was planned for; null for a command.
  planned_at INTEGER,
  started_at INTEGER NOT NULL,
  -- Null also for a lost run.
  finished_at INTEGER,
  -- Null while it runs. `found`: done, with something to look into. `stopped`: ended early, because its process was
  -- stopping. `lost`: its process ended without finishing it.
  outcome TEXT
    CHECK (outcome = 'done' OR outcome = 'found' OR outcome = 'failed' OR outcome = 'stopped' OR outcome = 'lost'),
  detail TEXT
) STRICT;

CREATE INDEX job_runs_of ON job_runs (job, run);

-- Pruned: the body is empty; key and digests stay, so that a late delivery is still a duplicate.
ALTER TABLE events ADD COLUMN pruned_at INTEGER;
-- sha256 (hex) of the canonical content, written when the body is pruned.
ALTER TABLE events ADD COLUMN content_digest TEXT;
ALTER TABLE variants ADD COLUMN pruned_at INTEGER;
-- Null again after news of the record, which may hold personal data.
ALTER TABLE refunds ADD COLUMN pruned_at INTEGER;
ALTER TABLE payouts ADD COLUMN pruned_at INTEGER;
ALTER TABLE collections ADD COLUMN pruned_at INTEGER;

CREATE INDEX refunds_unpruned ON refunds (changed_at) WHERE due_at IS NULL AND pruned_at IS NULL;
CREATE INDEX payouts_unpruned ON payouts (changed_at) WHERE due_at IS NULL AND pruned_at IS NULL;
CREATE INDEX collections_unpruned ON collections (changed_at) WHERE due_at IS NULL AND pruned_at IS NULL;

-- The background comparison of all rows with their sums, digests and indexes: where it goes on, and what it found.
CREATE TABLE soundness (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- JSON: the table and the key behind which it goes on; null: the next start begins at the first row.
  place TEXT,
  -- JSON: what is damaged, one sentence each, by the latest walk.
  damage TEXT NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;

INSERT INTO soundness (id, damage) VALUES (1, '[]');

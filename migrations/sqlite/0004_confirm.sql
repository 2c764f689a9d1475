-- Status checks and when the next one is due, and refunds that no webhook announced.

-- By environment: due records of an environment without a key must not slow down the search of the other one.
CREATE INDEX refunds_due ON refunds (environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payouts_due ON payouts (environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX collections_due ON collections (environment, due_at) WHERE due_at IS NOT NULL;

-- The story of one reference: its closed findings, and requests of ours that have not become a record.
CREATE INDEX findings_record ON findings (kind, record_id);
CREATE INDEX requests_reference ON requests (reference);

-- With witness `api`: sha256 (hex) of the canonical JSON that the claim was read from.
ALTER TABLE observations ADD COLUMN content_digest TEXT;

-- Counters that never go back: they order checks and runs, and a holder with an older one may write nothing.
CREATE TABLE counters (
  name TEXT PRIMARY KEY CHECK (name IN ('check', 'job')),
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (name, value) VALUES ('check', 0), ('job', 0);

-- How the status checks of a record go; the row is made by the first check.
CREATE TABLE checks (
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  -- Counter of the latest check; one that is finished under another counter is refused.
  counter INTEGER NOT NULL,
  -- When the latest check was leased.
  started_at INTEGER NOT NULL,
  -- Null: no check is under way.
  leased_until INTEGER,
  -- Checks since there was news of the record, without those that an unproven endpoint or a refused key failed.
  attempts INTEGER NOT NULL,
  -- Of these, the latest ones without a usable answer.
  failures INTEGER NOT NULL DEFAULT 0,
  -- Of the latest finished check.
  outcome TEXT,
  detail TEXT,
  outcome_at INTEGER,
  -- Since when the confirmed status is settled: watching counts from here.
  settled_at INTEGER,
  -- Since when no check is due, because the attempts are used up.
  stuck_at INTEGER,
  PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

-- Unsettled records, and those that cannot be confirmed and are not stuck for it. These indexes change with a check only,
-- so receiving a webhook pays nothing for them.
CREATE INDEX checks_unsettled ON checks (kind, record_id)
  WHERE settled_at IS NULL AND (outcome IS NULL OR outcome NOT IN ('unproven', 'unconfirmable'));
CREATE INDEX checks_unconfirmed ON checks (kind, record_id)
  WHERE settled_at IS NULL AND outcome IN ('unproven', 'unconfirmable');
CREATE INDEX checks_stuck ON checks (stuck_at) WHERE stuck_at IS NOT NULL;

-- What the merchant told us to expect, so that its absence or another amount can be noticed.
CREATE TABLE tracked (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  amount_minor INTEGER,
  currency TEXT,
  -- Never seen by then is a finding; null: no date.
  expected_by INTEGER,
  tracked_at INTEGER NOT NULL,
  -- When time alone changes what is found about it; null: it does not any more.
  review_at INTEGER,
  UNIQUE (kind, record_id)
) STRICT;

CREATE INDEX tracked_review ON tracked (review_at) WHERE review_at IS NOT NULL;

-- Each walk along the service's list of refunds.
CREATE TABLE backfills (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- Refunds that have not changed since are not judged by their absence.
  since INTEGER NOT NULL,
  -- The newest refund we knew when it began: whatever came later may stand on a page that was read before.
  newest_refund INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- Null while it runs, or when its process went away.
  outcome TEXT
    CHECK (outcome = 'complete' OR outcome = 'unreadable' OR outcome = 'limited' OR outcome = 'stopped' OR outcome = 'failed'),
  detail TEXT,
  rows_seen INTEGER NOT NULL DEFAULT 0,
  rows_unreadable INTEGER NOT NULL DEFAULT 0,
  records_created INTEGER NOT NULL DEFAULT 0,
  -- 1: complete, and `since` leaves no gap behind the last such walk. The next one begins at its start.
  covers INTEGER NOT NULL DEFAULT 0 CHECK (covers IN (0, 1))
) STRICT;

-- When a refund last stood in the list, and how many complete walks on end have missed it. Walks are told apart by their
-- ids, not by times: of two that overlap, both may see a refund, and only one counts its absence.
CREATE TABLE refund_listings (
  record_id INTEGER PRIMARY KEY REFERENCES refunds (id),
  -- The newest walk that had begun when it was last listed; null: never listed.
  listed_in INTEGER REFERENCES backfills (id),
  listed_at INTEGER,
  absences INTEGER NOT NULL DEFAULT 0,
  -- The newest walk that had begun when the last absence was counted.
  missed_in INTEGER REFERENCES backfills (id)
) STRICT;

-- What runs when. The truth is here, in UTC: whatever wakes us only looks.
CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  -- What next_run_at was computed from; another schedule or zone in the configuration computes it again.
  schedule TEXT,
  zone TEXT,
  -- The clock when next_run_at was computed: should it stand a whole interval before this, it was wrong then.
  planned_from INTEGER,
  next_run_at INTEGER,
  -- The counter of the run that holds, or last held, the job: a later one fences it off.
  run INTEGER NOT NULL DEFAULT 0,
  leased_until INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE job_runs (
  run INTEGER PRIMARY KEY,
  job TEXT NOT NULL REFERENCES jobs (name),
  cause TEXT NOT NULL CHECK (cause IN ('schedule', 'command')),
  -- Which process, for a person.
  holder TEXT NOT NULL,
  -- The time it was planned for; null when a person asked.
  planned_at INTEGER,
  started_at INTEGER NOT NULL,
  -- Unknown of a lost one.
  finished_at INTEGER,
  -- Null while it runs. `found`: done, and there is something to look at. `stopped`: given back, because its process was
  -- to stop. `lost`: its process went away.
  outcome TEXT
    CHECK (outcome = 'done' OR outcome = 'found' OR outcome = 'failed' OR outcome = 'stopped' OR outcome = 'lost'),
  detail TEXT
) STRICT;

CREATE INDEX job_runs_of ON job_runs (job, run);

-- Pruned: the body is gone; the key and the digests stay, so a late delivery is still known.
ALTER TABLE events ADD COLUMN pruned_at INTEGER;
-- sha256 (hex) of the canonical content, written when the body goes.
ALTER TABLE events ADD COLUMN content_digest TEXT;
ALTER TABLE variants ADD COLUMN pruned_at INTEGER;
-- Null again with news of the record, which may hold personal data.
ALTER TABLE refunds ADD COLUMN pruned_at INTEGER;
ALTER TABLE payouts ADD COLUMN pruned_at INTEGER;
ALTER TABLE collections ADD COLUMN pruned_at INTEGER;

CREATE INDEX refunds_unpruned ON refunds (changed_at) WHERE due_at IS NULL AND pruned_at IS NULL;
CREATE INDEX payouts_unpruned ON payouts (changed_at) WHERE due_at IS NULL AND pruned_at IS NULL;
CREATE INDEX collections_unpruned ON collections (changed_at) WHERE due_at IS NULL AND pruned_at IS NULL;

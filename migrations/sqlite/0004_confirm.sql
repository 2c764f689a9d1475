-- What the service says when we ask it, when to ask again, and what no webhook told us.

-- By environment: what waits for a key that is not there must not stand in the way of the rest.
CREATE INDEX refunds_due ON refunds (environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payouts_due ON payouts (environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX collections_due ON collections (environment, due_at) WHERE due_at IS NOT NULL;

-- The story of one reference: its closed findings, and what we asked for that has not become a record.
CREATE INDEX findings_record ON findings (kind, record_id);
CREATE INDEX requests_reference ON requests (reference);

-- Of an answer: sha256 (hex) of the canonical JSON that its claim was read from.
ALTER TABLE observations ADD COLUMN content_digest TEXT;

-- Counters that never go back: they order the questions, and fence off whoever held an older one.
CREATE TABLE counters (
  name TEXT PRIMARY KEY CHECK (name IN ('question', 'job')),
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (name, value) VALUES ('question', 0), ('job', 0);

-- How asking about a record goes; made by its first question.
CREATE TABLE confirmations (
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  -- The latest question's counter. Whoever answers under another one comes too late.
  question INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- Null: nobody is asking.
  leased_until INTEGER,
  -- Questions since there was news of the record, but for those that an unproven endpoint or a refused key failed.
  attempts INTEGER NOT NULL,
  -- Of these, the latest ones without a usable answer.
  failures INTEGER NOT NULL DEFAULT 0,
  -- Of the latest question that ended.
  outcome TEXT,
  detail TEXT,
  outcome_at INTEGER,
  -- Since when the service's word is a settled status: watching counts from here.
  settled_at INTEGER,
  -- Since when nobody asks any more, because the attempts are used up.
  stuck_at INTEGER,
  PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

-- Records whose outcome is waited for; and those that nobody can confirm, which are not stuck for it. Written when a
-- question is, so that receiving pays nothing for them.
CREATE INDEX confirmations_unsettled ON confirmations (kind, record_id)
  WHERE settled_at IS NULL AND (outcome IS NULL OR outcome NOT IN ('unproven', 'unconfirmable'));
CREATE INDEX confirmations_unconfirmed ON confirmations (kind, record_id)
  WHERE settled_at IS NULL AND outcome IN ('unproven', 'unconfirmable');
CREATE INDEX confirmations_stuck ON confirmations (stuck_at) WHERE stuck_at IS NOT NULL;

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

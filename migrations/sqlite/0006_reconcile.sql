-- Payouts that share the name of one transfer: the same payout twice.
CREATE INDEX payouts_session ON payouts (session_id) WHERE session_id IS NOT NULL;

-- Rules of matching, word by word, as they were used.
CREATE TABLE matching_rules (
  -- sha256 (hex) of the rules.
  digest TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every run of the reconciliation, also one that is being written or that died; the view `runs` has the whole ones. The rows
-- of a run stand together: from its first match and break up to those of the next run, because one run at a time writes.
CREATE TABLE reconciliation_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The days, both included, and how they are cut.
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  zone TEXT NOT NULL,
  cut_off_minutes INTEGER NOT NULL,
  as_at INTEGER NOT NULL,
  what TEXT NOT NULL,
  -- Null: both.
  environment TEXT CHECK (environment IN ('test', 'live')),
  -- Null: all.
  account TEXT,
  rules_digest TEXT NOT NULL REFERENCES matching_rules (digest),
  begun_at INTEGER NOT NULL,
  -- While it is written: until when no other run begins, and by which process. Null: it ended, or was given up.
  leased_until INTEGER,
  machine TEXT,
  pid INTEGER,
  -- With this, all of it shows.
  finished_at INTEGER,
  first_match INTEGER NOT NULL,
  first_break INTEGER NOT NULL,
  breaks INTEGER NOT NULL DEFAULT 0,
  -- Its figures as canonical JSON.
  report TEXT,
  -- 1: what it kept and no longer counts was deleted.
  cleared INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One at a time: `cleared` is 0 of each that is being written.
CREATE UNIQUE INDEX reconciliation_runs_one ON reconciliation_runs (cleared) WHERE leased_until IS NOT NULL;
CREATE INDEX reconciliation_runs_scope ON reconciliation_runs (what, environment, account, id) WHERE finished_at IS NOT NULL;
CREATE INDEX reconciliation_runs_uncleared ON reconciliation_runs (id) WHERE cleared = 0;

-- Lines that belong to a row of ours: from the run that made the match until the run that ended it. Never deleted once
-- that run is whole.
CREATE TABLE kept_matches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Its run, and the first match that was written together with it.
  run_id INTEGER NOT NULL REFERENCES reconciliation_runs (id),
  batch INTEGER NOT NULL,
  -- Counts once that run is whole.
  ended_in INTEGER REFERENCES reconciliation_runs (id),
  -- Null: the line was removed.
  line_id INTEGER REFERENCES imported_lines (id),
  leg TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'batch' OR kind = 'top_up'),
  -- Null: our side is no record.
  record_id INTEGER,
  reference TEXT NOT NULL,
  pass TEXT NOT NULL
    CHECK (pass = 'reference' OR pass = 'session_id' OR pass = 'transaction_reference_and_amount' OR pass = 'group' OR pass = 'settlement_day' OR pass = 'amount_and_date' OR pass = 'person'),
  -- claimed: its key took it, and it is a copy, or one of several that fit equally well.
  state TEXT NOT NULL CHECK (state = 'confirmed' OR state = 'suggested' OR state = 'claimed'),
  -- When the line was removed, and where it stood.
  removed_at INTEGER,
  removed_statement INTEGER,
  removed_row INTEGER
) STRICT;

CREATE INDEX kept_matches_line ON kept_matches (line_id) WHERE line_id IS NOT NULL;
-- The batch first: references come in any order, and a million inserts all over an index take five times as long. There are
-- few batches, so a reference is looked for in each of them.
CREATE INDEX kept_matches_reference ON kept_matches (batch, reference);

-- The breaks of the latest runs. Values are as text: amounts exact decimal, else a status, a currency or what a field holds.
CREATE TABLE kept_breaks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES reconciliation_runs (id),
  batch INTEGER NOT NULL,
  -- The same in every run that finds the break.
  break_id TEXT NOT NULL,
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
  -- The line that it names; null: none.
  statement_id INTEGER,
  row INTEGER,
  fingerprint BLOB,
  occurrence INTEGER,
  -- As a JSON list of texts.
  candidates TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  reason TEXT NOT NULL,
  next_step TEXT NOT NULL,
  record_id INTEGER
) STRICT;

CREATE INDEX kept_breaks_break ON kept_breaks (batch, break_id);
CREATE INDEX kept_breaks_reference ON kept_breaks (batch, reference) WHERE reference IS NOT NULL;

-- What persons said of a line and a row of ours; the last word on a pair counts. The line is named by what it says, so that
-- the word stays when a statement is removed and imported again.
CREATE TABLE match_decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  leg TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  date TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  occurrence INTEGER NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection' OR kind = 'batch' OR kind = 'top_up'),
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  reference TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('together', 'apart')),
  decided_by TEXT NOT NULL,
  decided_at INTEGER NOT NULL,
  comment TEXT
) STRICT;

CREATE INDEX match_decisions_pair
  ON match_decisions (account_id, date, fingerprint, occurrence, leg, kind, environment, reference, id);
CREATE INDEX match_decisions_reference ON match_decisions (reference);

-- What shows.
CREATE VIEW runs AS
  SELECT r.id, r.from_day, r.to_day, r.zone, r.cut_off_minutes, r.as_at, r.what, r.environment, r.account, u.name AS rules,
         r.rules_digest, r.begun_at, r.finished_at, r.breaks, r.report
  FROM reconciliation_runs r JOIN matching_rules u ON u.digest = r.rules_digest
  WHERE r.finished_at IS NOT NULL;

-- Matches of whole runs that no whole run ended, of lines that show. While a removed statement is being cleared away, its lines
-- that another statement has are those of the other one.
CREATE VIEW matches AS
  SELECT m.id, m.run_id, m.leg, m.line_id, iif(s.state = 'imported', l.statement_id, o.statement_id) AS statement_id,
         iif(s.state = 'imported', l.row, o.row) AS row, a.name AS account_name, a.environment, l.date, l.currency, l.amount_minor,
         m.kind, m.record_id, m.reference, m.pass, m.state
  FROM kept_matches m JOIN reconciliation_runs r ON r.id = m.run_id JOIN imported_lines l ON l.id = m.line_id
    JOIN accounts a ON a.id = l.account_id JOIN imported_statements s ON s.id = l.statement_id
    LEFT JOIN imported_overlaps o ON s.state = 'removing' AND o.line_id = l.id AND o.statement_id = (
      SELECT min(other.statement_id) FROM imported_overlaps other JOIN imported_statements heir ON heir.id = other.statement_id
      WHERE other.line_id = l.id AND heir.state = 'imported')
  WHERE r.finished_at IS NOT NULL AND (s.state = 'imported' OR o.statement_id IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM reconciliation_runs e WHERE e.id = m.ended_in AND e.finished_at IS NOT NULL);

-- The breaks of the last whole run of each scope: of what, which environment and which account.
CREATE VIEW breaks AS
  SELECT b.break_id AS id, b.run_id, b.code, b.sub, b.leg, b.side, b.kind, b.environment, b.account, b.reference, b.field_name,
         b.currency, b.ours, b.theirs, b.variance, b.effect, b.statement_id, b.row, b.candidates, b.first_seen, b.reason,
         b.next_step, b.record_id
  FROM reconciliation_runs r CROSS JOIN kept_breaks b ON b.id >= r.first_break AND b.id < r.first_break + r.breaks
  WHERE r.finished_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM reconciliation_runs later
    WHERE later.what = r.what AND later.environment IS r.environment AND later.account IS r.account AND later.id > r.id
      AND later.finished_at IS NOT NULL);

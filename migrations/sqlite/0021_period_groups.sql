-- What a run leaves open, by group: rows of ours and lines that belong together, and that a balance by them has otherwise than the one by
-- us. A closing freezes those of its run, and the next period begins with them.

CREATE TABLE period_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES reconciliation_runs (id),
  -- The name of its row of ours, else of its first line: the same in every run.
  group_key TEXT NOT NULL,
  -- The book: an account in one currency.
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- Minor units: what moved by them less what moved by us, and by row of the proof as a JSON object.
  effect_minor INTEGER NOT NULL,
  proof_rows TEXT NOT NULL,
  -- What was said of it, what is not due yet included, as a JSON list of breaks.
  verdicts TEXT NOT NULL,
  -- The names of its rows of ours and of its lines, as JSON lists.
  ours TEXT NOT NULL,
  lines TEXT NOT NULL
) STRICT;

CREATE INDEX period_groups_run ON period_groups (run_id);

-- 1: its open groups were kept. 0: a version before kept its breaks alone.
ALTER TABLE reconciliation_runs ADD COLUMN has_groups INTEGER NOT NULL DEFAULT 0;

-- Periods that were closed, with the figures as they were frozen at each closing.

CREATE TABLE periods (
  id INTEGER PRIMARY KEY,
  set_name TEXT NOT NULL,
  -- 2026-10, or 2026-10-01..2026-10-15.
  name TEXT NOT NULL,
  -- Its days, both included.
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- Names of its accounts as a JSON list; null: all of the environment.
  accounts TEXT,
  -- Open: it was closed before, and opened again.
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'closed' OR state = 'approved' OR state = 'locked'),
  -- How often it was closed.
  closing INTEGER NOT NULL,
  UNIQUE (set_name, name)
) STRICT;

-- Whether a day is closed is asked by every act on its evidence.
CREATE INDEX periods_days ON periods (environment, from_day);

-- Each closing of a period. What a later act says of it is added once; the frozen text never changes.
CREATE TABLE period_closings (
  period_id INTEGER NOT NULL REFERENCES periods (id),
  -- 1 for the first.
  closing INTEGER NOT NULL,
  -- The run whose figures it froze, and its as-at time: what became known later is not in them.
  run_id INTEGER NOT NULL REFERENCES reconciliation_runs (id),
  as_at INTEGER NOT NULL,
  preparer TEXT NOT NULL,
  closed_at INTEGER NOT NULL,
  -- sha256 (hex) of `report`.
  digest TEXT NOT NULL,
  -- The bytes of `report period --format json`; null: they were erased, and when.
  report TEXT,
  erased_at INTEGER,
  -- How it differs from the closing before, as a JSON list; null: it is the first.
  changes TEXT,
  approver TEXT,
  approved_at INTEGER,
  locked_by TEXT,
  locked_at INTEGER,
  reopened_by TEXT,
  reopened_at INTEGER,
  reason TEXT,
  PRIMARY KEY (period_id, closing)
) STRICT, WITHOUT ROWID;

CREATE INDEX period_closings_run ON period_closings (run_id);

-- With what each account closed: the next period opens with it.
CREATE TABLE period_balances (
  period_id INTEGER NOT NULL REFERENCES periods (id),
  closing INTEGER NOT NULL,
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  ours_minor INTEGER NOT NULL,
  theirs_minor INTEGER NOT NULL,
  PRIMARY KEY (period_id, closing, account, currency)
) STRICT, WITHOUT ROWID;

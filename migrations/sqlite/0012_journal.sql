-- The journal: entries for the merchant's ledger, numbered when their period is closed. Rows are added, never changed.

CREATE TABLE journal_entries (
  set_name TEXT NOT NULL,
  period TEXT NOT NULL,
  -- From 1 within the set and period, without gaps: 2026-10-00001.
  number INTEGER NOT NULL CHECK (number >= 1),
  -- The closing that wrote it.
  closing INTEGER NOT NULL CHECK (closing >= 1),
  date TEXT NOT NULL,
  source TEXT NOT NULL
    CHECK (source = 'opening' OR source = 'books' OR source = 'movement' OR source = 'resolution' OR source = 'carried' OR source = 'brought_forward' OR source = 'reversal'),
  -- Of the statements.
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- What the movements of one entry have in common.
  grouping TEXT NOT NULL CHECK (grouping = 'day' OR grouping = 'settlement' OR grouping = 'period'),
  -- The number of the entry that it takes back.
  reverses INTEGER,
  PRIMARY KEY (set_name, period, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE journal_lines (
  set_name TEXT NOT NULL,
  period TEXT NOT NULL,
  number INTEGER NOT NULL,
  line INTEGER NOT NULL CHECK (line >= 1),
  -- The name in the merchant's ledger, as the configuration gave it then.
  ledger_account TEXT NOT NULL,
  -- What the account is for.
  role TEXT NOT NULL
    CHECK (role = 'wallet' OR role = 'wallet_pending' OR role = 'refund_reserve' OR role = 'sales_clearing' OR role = 'settlement_clearing' OR role = 'bank' OR role = 'fees' OR role = 'input_tax' OR role = 'duty' OR role = 'chargebacks' OR role = 'write_off' OR role = 'claims' OR role = 'carried' OR role = 'payouts' OR role = 'sales' OR role = 'refunds' OR role = 'other' OR role = 'equity' OR role = 'reason'),
  -- A debit is positive, a credit negative.
  minor INTEGER NOT NULL CHECK (minor <> 0),
  text TEXT NOT NULL,
  reference TEXT,
  -- The exception, or what else is followed from period to period.
  subject TEXT,
  PRIMARY KEY (set_name, period, number, line),
  FOREIGN KEY (set_name, period, number) REFERENCES journal_entries (set_name, period, number)
) STRICT, WITHOUT ROWID;

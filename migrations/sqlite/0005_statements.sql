-- Statements: files that say what moved an account, line by line.

-- The names of accounts. One import at a time writes into an account.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind = 'wallet' OR kind = 'settlement' OR kind = 'bank' OR kind = 'ledger'),
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- The statement that is being imported; null: none.
  importing INTEGER,
  leased_until INTEGER,
  -- The process that imports: a lease whose process is gone is over at once.
  machine TEXT,
  pid INTEGER
) STRICT;

-- The profiles by which files were read, word by word.
CREATE TABLE statement_profiles (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  -- sha256 (hex) of the text.
  digest TEXT NOT NULL,
  text TEXT NOT NULL,
  first_used_at INTEGER NOT NULL,
  UNIQUE (name, digest)
) STRICT;

-- Every statement, also one that is being imported or was removed; the view `statements` leaves out what does not show.
-- AUTOINCREMENT: an import that was taken over must not find its number given to another one.
CREATE TABLE imported_statements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- As when it was imported: the name of an account without statements is free for another kind and environment.
  kind TEXT NOT NULL CHECK (kind = 'wallet' OR kind = 'settlement' OR kind = 'bank' OR kind = 'ledger'),
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  state TEXT NOT NULL
    CHECK (state = 'importing' OR state = 'imported' OR state = 'abandoned' OR state = 'removing' OR state = 'removed'),
  profile_id INTEGER NOT NULL REFERENCES statement_profiles (id),
  file TEXT NOT NULL,
  file_sha256 TEXT NOT NULL,
  file_bytes INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  imported_at INTEGER,
  removed_at INTEGER,
  -- Rows of the file that are lines; of these, lines that no statement of the account had before; and unreadable rows.
  lines INTEGER NOT NULL DEFAULT 0,
  new_lines INTEGER NOT NULL DEFAULT 0,
  unparsed INTEGER NOT NULL DEFAULT 0,
  -- The days that it covers, both included.
  covers_from TEXT,
  covers_to TEXT,
  -- 1: the file says so; 0: they are the days of its lines.
  states_days INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX imported_statements_account ON imported_statements (account_id, state);
CREATE INDEX imported_statements_profile ON imported_statements (profile_id);

-- Each line of an account once: it belongs to the first statement that shows it. AUTOINCREMENT: what was found about a line
-- that is removed must not be said of another one.
CREATE TABLE imported_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  statement_id INTEGER NOT NULL REFERENCES imported_statements (id),
  row INTEGER NOT NULL,
  date TEXT NOT NULL,
  value_date TEXT,
  -- Null: the file gives only the date.
  happened_at INTEGER,
  -- Null: the profile does not know the file's word, which is `type_text`.
  type TEXT
    CHECK (type = 'collection' OR type = 'refund' OR type = 'collection_reversal' OR type = 'reserve' OR type = 'release' OR type = 'payout' OR type = 'payout_reversal' OR type = 'fee' OR type = 'tax' OR type = 'duty' OR type = 'chargeback' OR type = 'chargeback_reversal' OR type = 'settlement' OR type = 'top_up' OR type = 'transfer' OR type = 'conversion' OR type = 'adjustment' OR type = 'other'),
  type_text TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- What moves the balance; negative takes money away.
  amount_minor INTEGER NOT NULL,
  -- Gross, before fee, tax and duty, without direction.
  principal_minor INTEGER NOT NULL,
  fee_minor INTEGER,
  tax_minor INTEGER,
  duty_minor INTEGER,
  -- The running balance after this line.
  balance_minor INTEGER,
  reference TEXT,
  session_id TEXT,
  transaction_reference TEXT,
  group_name TEXT,
  text TEXT,
  counterparty TEXT,
  fingerprint BLOB NOT NULL,
  occurrence INTEGER NOT NULL
) STRICT;

-- The date first, which the fingerprint covers: lines arrive by date, so that inserts stay on a few pages of the index.
CREATE UNIQUE INDEX imported_lines_once ON imported_lines (account_id, date, fingerprint, occurrence);
CREATE UNIQUE INDEX imported_lines_row ON imported_lines (statement_id, row);
-- The names by which matching finds the line of a record.
CREATE INDEX imported_lines_reference ON imported_lines (reference) WHERE reference IS NOT NULL;
CREATE INDEX imported_lines_session ON imported_lines (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX imported_lines_group ON imported_lines (group_name) WHERE group_name IS NOT NULL;
CREATE INDEX imported_lines_transaction ON imported_lines (transaction_reference) WHERE transaction_reference IS NOT NULL;

-- Rows of later statements that show a line of an earlier one.
CREATE TABLE imported_overlaps (
  statement_id INTEGER NOT NULL REFERENCES imported_statements (id),
  row INTEGER NOT NULL,
  line_id INTEGER NOT NULL REFERENCES imported_lines (id),
  -- The running balance as this statement gives it.
  balance_minor INTEGER,
  PRIMARY KEY (statement_id, row)
) STRICT, WITHOUT ROWID;

CREATE INDEX imported_overlaps_line ON imported_overlaps (line_id, statement_id);

-- Rows that could not be read, each statement with its own. One of two overlapping files has the same fingerprint and
-- occurrence in both.
CREATE TABLE imported_unparsed (
  id INTEGER PRIMARY KEY,
  statement_id INTEGER NOT NULL REFERENCES imported_statements (id),
  row INTEGER NOT NULL,
  -- Null: the row as a whole.
  column_name TEXT,
  value TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- Both of the row; null: it cannot be read.
  date TEXT,
  currency TEXT,
  fingerprint BLOB NOT NULL,
  occurrence INTEGER NOT NULL
) STRICT;

CREATE INDEX imported_unparsed_row ON imported_unparsed (statement_id, row);

-- What a statement says of each currency as a whole.
CREATE TABLE statement_balances (
  statement_id INTEGER NOT NULL REFERENCES imported_statements (id),
  currency TEXT NOT NULL,
  opening_minor INTEGER,
  closing_minor INTEGER,
  -- Of its lines.
  sum_minor INTEGER NOT NULL,
  PRIMARY KEY (statement_id, currency)
) STRICT, WITHOUT ROWID;

-- Totals and balances of a file that its lines do not add up to.
CREATE TABLE statement_controls (
  statement_id INTEGER NOT NULL REFERENCES imported_statements (id),
  number INTEGER NOT NULL,
  control TEXT NOT NULL
    CHECK (control = 'rows' OR control = 'sum' OR control = 'closing' OR control = 'running' OR control = 'net'),
  currency TEXT,
  stated INTEGER NOT NULL,
  computed INTEGER NOT NULL,
  row INTEGER,
  cell_row INTEGER NOT NULL,
  cell_column TEXT NOT NULL,
  PRIMARY KEY (statement_id, number)
) STRICT, WITHOUT ROWID;

-- The files of the statements folder, as the job that takes them found each last.
CREATE TABLE statement_intake (
  -- Within the folder: wallet/october.csv.
  path TEXT PRIMARY KEY,
  outcome TEXT NOT NULL CHECK (outcome = 'taken' OR outcome = 'refused' OR outcome = 'waiting'),
  file_bytes INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  -- When a look first found these bytes, modified then.
  seen_at INTEGER NOT NULL,
  -- When it was taken, refused, or first had to wait.
  since INTEGER NOT NULL,
  -- The content that was taken, or refused for good; null: every look tries it again.
  file_sha256 TEXT,
  -- sha256 (hex) of the profile that refused this content.
  profile_digest TEXT,
  statement_id INTEGER REFERENCES imported_statements (id),
  reason TEXT,
  hint TEXT
) STRICT, WITHOUT ROWID;

-- What shows: statements that were imported to their end, and those of them that were removed since.
CREATE VIEW statements AS
  SELECT s.id, a.name AS account_name, s.kind, s.environment, s.file, s.file_sha256, s.file_bytes, p.name AS profile,
         p.digest AS profile_digest, s.imported_at, s.removed_at, s.lines, s.new_lines, s.unparsed, s.covers_from, s.covers_to,
         s.states_days
  FROM imported_statements s JOIN accounts a ON a.id = s.account_id JOIN statement_profiles p ON p.id = s.profile_id
  WHERE s.imported_at IS NOT NULL;

-- The lines that show, each once. While a removed statement is being cleared away, its lines that another statement has
-- are those of the other one.
CREATE VIEW statement_lines AS
  SELECT l.id, l.statement_id, l.row, a.name AS account_name, a.kind, a.environment, l.date, l.value_date, l.happened_at, l.type,
         l.type_text, l.currency, l.amount_minor, l.principal_minor, l.fee_minor, l.tax_minor, l.duty_minor, l.balance_minor,
         l.reference, l.session_id, l.transaction_reference, l.group_name, l.text, l.counterparty, l.fingerprint, l.occurrence
  FROM imported_lines l JOIN accounts a ON a.id = l.account_id JOIN imported_statements s ON s.id = l.statement_id
  WHERE s.state = 'imported'
  UNION ALL
  SELECT l.id, o.statement_id, o.row, a.name, a.kind, a.environment, l.date, l.value_date, l.happened_at, l.type,
         l.type_text, l.currency, l.amount_minor, l.principal_minor, l.fee_minor, l.tax_minor, l.duty_minor, o.balance_minor,
         l.reference, l.session_id, l.transaction_reference, l.group_name, l.text, l.counterparty, l.fingerprint, l.occurrence
  FROM imported_statements s JOIN imported_lines l ON l.statement_id = s.id JOIN accounts a ON a.id = l.account_id
    JOIN imported_overlaps o ON o.line_id = l.id AND o.statement_id = (
      SELECT min(other.statement_id) FROM imported_overlaps other JOIN imported_statements heir ON heir.id = other.statement_id
      WHERE other.line_id = l.id AND heir.state = 'imported')
  WHERE s.state = 'removing';

CREATE VIEW statement_unparsed AS
  SELECT u.statement_id, u.row, u.column_name, u.value, u.reason, u.date, u.currency, u.fingerprint, u.occurrence
  FROM imported_unparsed u JOIN imported_statements s ON s.id = u.statement_id
  WHERE s.state = 'imported';

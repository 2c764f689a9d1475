-- The state of each refund, payout and collection, and every claim behind it.

CREATE TABLE refunds (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  reference TEXT NOT NULL,
  reported TEXT,
  reported_time TEXT,
  confirmed TEXT,
  confirmed_at INTEGER,
  due_at INTEGER,
  amount_minor INTEGER,
  currency TEXT,
  transaction_reference TEXT,
  fee_minor INTEGER,
  fee_exact TEXT,
  total_reserved_minor INTEGER,
  total_reserved_exact TEXT,
  funding_status TEXT,
  available_reserved_minor INTEGER,
  available_reserved_exact TEXT,
  pending_reserved_minor INTEGER,
  pending_reserved_exact TEXT,
  pending_funded_minor INTEGER,
  pending_funded_exact TEXT,
  pending_remaining_minor INTEGER,
  pending_remaining_exact TEXT,
  funded_at TEXT,
  external_reference TEXT,
  -- The money by the webhooks, and by the answer that confirmed the status.
  reported_amount_minor INTEGER,
  reported_currency TEXT,
  reported_fee_minor INTEGER,
  reported_fee_exact TEXT,
  confirmed_amount_minor INTEGER,
  confirmed_currency TEXT,
  confirmed_fee_minor INTEGER,
  confirmed_fee_exact TEXT,
  -- The service's times: as sent, and in UTC where they can be read.
  requested_at TEXT,
  requested_at_utc TEXT,
  completed_at TEXT,
  completed_at_utc TEXT,
  updated_at TEXT,
  updated_at_utc TEXT,
  first_seen_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  UNIQUE (reference, environment)
) STRICT;

CREATE INDEX refunds_transaction ON refunds (transaction_reference) WHERE transaction_reference IS NOT NULL;

CREATE TABLE payouts (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  reference TEXT NOT NULL,
  reported TEXT,
  reported_time TEXT,
  confirmed TEXT,
  confirmed_at INTEGER,
  due_at INTEGER,
  amount_minor INTEGER,
  currency TEXT,
  bank_code TEXT,
  account_number TEXT,
  wallet_code TEXT,
  fee_minor INTEGER,
  fee_exact TEXT,
  stamp_duty_minor INTEGER,
  stamp_duty_exact TEXT,
  bank_name TEXT,
  account_name TEXT,
  narration TEXT,
  session_id TEXT,
  -- The money by the webhooks, and by the answer that confirmed the status.
  reported_amount_minor INTEGER,
  reported_currency TEXT,
  reported_fee_minor INTEGER,
  reported_fee_exact TEXT,
  reported_stamp_duty_minor INTEGER,
  reported_stamp_duty_exact TEXT,
  confirmed_amount_minor INTEGER,
  confirmed_currency TEXT,
  confirmed_fee_minor INTEGER,
  confirmed_fee_exact TEXT,
  confirmed_stamp_duty_minor INTEGER,
  confirmed_stamp_duty_exact TEXT,
  -- The service's times: as sent, and in UTC where they can be read.
  created_at TEXT,
  created_at_utc TEXT,
  paid_at TEXT,
  paid_at_utc TEXT,
  updated_at TEXT,
  updated_at_utc TEXT,
  first_seen_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  UNIQUE (reference, environment)
) STRICT;

CREATE TABLE collections (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  reference TEXT NOT NULL,
  reported TEXT,
  reported_time TEXT,
  confirmed TEXT,
  confirmed_at INTEGER,
  due_at INTEGER,
  requested_amount_minor INTEGER,
  currency TEXT,
  wallet_code TEXT,
  amount_minor INTEGER,
  fees_minor INTEGER,
  fees_exact TEXT,
  channel TEXT,
  gateway_response TEXT,
  customer_email TEXT,
  -- The money by the webhooks, and by the answer that confirmed the status.
  reported_requested_amount_minor INTEGER,
  reported_amount_minor INTEGER,
  reported_currency TEXT,
  reported_fees_minor INTEGER,
  reported_fees_exact TEXT,
  confirmed_requested_amount_minor INTEGER,
  confirmed_amount_minor INTEGER,
  confirmed_currency TEXT,
  confirmed_fees_minor INTEGER,
  confirmed_fees_exact TEXT,
  -- The service's times: as sent, and in UTC where they can be read.
  created_at TEXT,
  created_at_utc TEXT,
  paid_at TEXT,
  paid_at_utc TEXT,
  updated_at TEXT,
  updated_at_utc TEXT,
  first_seen_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  UNIQUE (reference, environment)
) STRICT;

-- A set: each claim of a witness is there once. Clustered by record, as it is read.
CREATE TABLE observations (
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  identity TEXT NOT NULL,
  witness TEXT NOT NULL
    CHECK (witness = 'webhook' OR witness = 'api' OR witness = 'request' OR witness = 'list'),
  event_id INTEGER REFERENCES events (id),
  event_key TEXT NOT NULL,
  status TEXT,
  time TEXT,
  answer_counter INTEGER,
  answered_at INTEGER,
  -- Facts, details, times, unreadable fields and the contradiction flag as JSON; amounts as exact decimal text.
  claim TEXT NOT NULL,
  PRIMARY KEY (kind, record_id, identity)
) STRICT, WITHOUT ROWID;

CREATE TABLE findings (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  reference TEXT NOT NULL,
  code TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;

CREATE UNIQUE INDEX findings_open ON findings (kind, record_id, code, subject) WHERE closed_at IS NULL;

-- Each move of a record's reported or confirmed status, in the order in which it was recorded.
CREATE TABLE history (
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  record_id INTEGER NOT NULL,
  -- 1 for the record's first move.
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('reported', 'confirmed')),
  from_status TEXT,
  to_status TEXT,
  -- 1 when the lifecycle has a state in between that was never seen.
  gap INTEGER NOT NULL CHECK (gap IN (0, 1)),
  PRIMARY KEY (kind, record_id, n)
) STRICT, WITHOUT ROWID;

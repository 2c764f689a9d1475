-- What a user logs in with, and what is good once. Nothing in it opens anything without a secret that is kept nowhere.
CREATE TABLE credentials (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL
    CHECK (kind = 'password' OR kind = 'totp' OR kind = 'recovery' OR kind = 'link' OR kind = 'oidc'),
  -- argon2id with its parameters; the sealed secret of codes; sha256 of a recovery code or link; issuer and subject of a login elsewhere.
  value TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- Of a link: good until.
  ends_at INTEGER,
  UNIQUE (kind, value)
) STRICT;

CREATE INDEX credentials_user ON credentials (user_id, kind);

-- Codes that were given, so that each is good once, whatever the clock does.
CREATE TABLE used_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- Which code: the number of its 30 seconds since 1970.
  step INTEGER NOT NULL,
  UNIQUE (user_id, step)
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- sha256 of the id in the cookie, which is kept nowhere.
  digest TEXT NOT NULL UNIQUE,
  way TEXT NOT NULL CHECK (way = 'password' OR way = 'recovery' OR way = 'oidc'),
  started_at INTEGER NOT NULL,
  -- To the minute.
  seen_at INTEGER NOT NULL,
  -- When the person proved last who it is.
  proven_at INTEGER NOT NULL,
  idle_ms INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  address TEXT,
  agent TEXT
) STRICT;

CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_end ON sessions (ends_at);

CREATE TABLE login_attempts (
  -- sha256 of the account or the address.
  key TEXT PRIMARY KEY,
  scope TEXT NOT NULL CHECK (scope = 'account' OR scope = 'address'),
  since INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- When its limit was passed; NULL: it was not.
  refused_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX login_attempts_since ON login_attempts (since);
CREATE INDEX login_attempts_refused ON login_attempts (refused_at) WHERE refused_at IS NOT NULL;

-- One row: what needs a second person, as configured last.
CREATE TABLE approval_rules (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- JSON.
  rules TEXT NOT NULL
) STRICT;

CREATE TABLE approvals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  act TEXT NOT NULL,
  -- JSON: what is asked for, as it is carried out. It names rows and holds no filter.
  asked TEXT NOT NULL,
  -- sha256 of the keys and digests of its rows.
  digest TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'asked' OR state = 'approved' OR state = 'refused' OR state = 'used'),
  asked_by TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_by TEXT,
  decided_at INTEGER,
  -- Why it was refused.
  because TEXT
) STRICT;

CREATE INDEX approvals_state ON approvals (state, id);

CREATE TABLE approval_rows (
  approval_id INTEGER NOT NULL REFERENCES approvals (id),
  key TEXT NOT NULL,
  -- sha256 of what the row was, and becomes, when it was asked for.
  digest TEXT NOT NULL,
  -- When it was carried out.
  used_at INTEGER,
  PRIMARY KEY (approval_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX approval_rows_open ON approval_rows (key) WHERE used_at IS NULL;

-- Rows of acts without a second person, for a day: many small acts count as one large one would.
CREATE TABLE guarded_rows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  act TEXT NOT NULL,
  at INTEGER NOT NULL,
  row_count INTEGER NOT NULL
) STRICT;

CREATE INDEX guarded_rows_at ON guarded_rows (act, at);

-- Persons whose names are proved. Without a row each name is taken as it is stated.
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- One text for all spellings of one person's name.
  folded_name TEXT NOT NULL UNIQUE,
  -- A JSON list.
  roles TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  -- Null: may act.
  ended_at INTEGER
) STRICT;

CREATE TABLE user_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  -- sha256 of the token, which is kept nowhere.
  digest TEXT NOT NULL UNIQUE,
  made_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_tokens_user ON user_tokens (user_id);

-- What lines say of people, erased of closed days: first they count for nothing in the audit, then they are deleted piece by piece.
CREATE TABLE erased_texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- The days of the lines, both included.
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  -- The last line and the last statement that there were: what came later is not meant.
  last_line INTEGER NOT NULL,
  last_statement INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  -- Null while some of them may still be there.
  cleared_at INTEGER
) STRICT;

CREATE INDEX erased_texts_account ON erased_texts (account_id, from_day);
CREATE INDEX erased_texts_open ON erased_texts (account_id) WHERE cleared_at IS NULL;

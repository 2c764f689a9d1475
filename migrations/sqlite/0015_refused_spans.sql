-- When requests were refused: those of one kind without a long pause between them are one row, however many come.
CREATE TABLE refused_spans (
  id INTEGER PRIMARY KEY,
  likeness TEXT NOT NULL
    CHECK (likeness = 'ours' OR likeness = 'not_kept' OR likeness = 'merchant_only' OR likeness = 'signed' OR likeness = 'other'),
  reason TEXT NOT NULL,
  -- A webhook path, or `(unknown)`; of authentic deliveries that were not kept NULL: they fail alike on every path.
  path TEXT,
  -- Those that they may be deliveries of: `test`, `live` or `live,test`.
  environments TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- Of the latest, as requested; made printable and cut.
  last_path TEXT NOT NULL
) STRICT;

CREATE INDEX refused_spans_kind ON refused_spans (likeness, reason, path);

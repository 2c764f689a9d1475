-- Alerts, one per cause and subject for ever, and the notices of them that go out.

CREATE TABLE alerts (
  id INTEGER PRIMARY KEY,
  -- A word of the program; the list grows with its versions.
  cause TEXT NOT NULL,
  -- What it is about, such as `live refund`; empty when there is only one.
  subject TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity = 'critical' OR severity = 'warning' OR severity = 'info'),
  opened_at INTEGER NOT NULL,
  -- Null while its condition holds.
  closed_at INTEGER,
  -- When its condition was last seen to hold.
  seen_at INTEGER NOT NULL,
  -- How often it opened.
  openings INTEGER NOT NULL,
  -- How much of it there is: records, events, requests.
  size INTEGER NOT NULL,
  -- JSON: the facts of its text. No personal data.
  facts TEXT NOT NULL,
  -- When the latest notice that it is open was made, and the size that it told.
  noticed_at INTEGER,
  noticed_size INTEGER NOT NULL,
  -- No notice is made before this.
  silenced_until INTEGER,
  UNIQUE (cause, subject)
) STRICT;

CREATE INDEX alerts_open ON alerts (severity) WHERE closed_at IS NULL;

-- One row per notice and channel. A waiting one is tried until the channel takes it; its text is made then.
CREATE TABLE alert_notices (
  id INTEGER PRIMARY KEY,
  alert_id INTEGER NOT NULL REFERENCES alerts (id),
  channel TEXT NOT NULL CHECK (channel = 'log' OR channel = 'webhook' OR channel = 'mail'),
  change TEXT NOT NULL CHECK (change = 'opened' OR change = 'again' OR change = 'recovered'),
  state TEXT NOT NULL CHECK (state = 'waiting' OR state = 'sent' OR state = 'given_up' OR state = 'replaced'),
  made_at INTEGER NOT NULL,
  -- Counts the leases; an attempt that is not the latest ends nothing.
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  leased_until INTEGER,
  ended_at INTEGER,
  -- Why the latest attempt failed, for a person.
  error TEXT
) STRICT;

CREATE INDEX alert_notices_waiting ON alert_notices (due_at) WHERE state = 'waiting';
CREATE INDEX alert_notices_of ON alert_notices (alert_id, id);

-- Counters that only grow, as they stood at an earlier judgement: what a fast rise is measured from.
CREATE TABLE alert_marks (
  name TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  base INTEGER NOT NULL,
  -- When it last rose by a burst, and by how much.
  burst_at INTEGER,
  rose INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- For counting the newest ones without reading any event: the time is behind the body.
CREATE INDEX events_quarantined ON events (received_at, environment) WHERE state = 'quarantined';

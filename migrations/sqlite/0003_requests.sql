-- Requests of ours that move money; each is here before it is sent.

CREATE TABLE requests (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'refund' OR kind = 'payout' OR kind = 'collection'),
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  -- A refund's idempotency key; else the reference.
  key TEXT NOT NULL,
  -- The transaction to refund; the payout's or collection's own reference.
  reference TEXT NOT NULL,
  -- sha256 (hex) of the content to which the key is bound.
  content_digest TEXT NOT NULL,
  -- `open`: the outcome is unknown. `refused`: the service did nothing.
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'accepted' OR state = 'refused'),
  -- Reference of the record in the answer.
  record_reference TEXT,
  -- Times the request was begun since the last refusal.
  attempts INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  -- Of a refused request: HTTP status and message of the service. Pruned by age.
  refusal_status INTEGER,
  refusal_message TEXT,
  UNIQUE (key, kind, environment)
) STRICT;

CREATE INDEX requests_open ON requests (content_digest, kind, environment) WHERE state = 'open';
CREATE INDEX requests_record ON requests (record_reference, kind, environment) WHERE record_reference IS NOT NULL;
CREATE INDEX requests_refusals ON requests (settled_at) WHERE refusal_message IS NOT NULL;

-- The paths that a payment began with: one payment never mixes legacy and v1.
CREATE TABLE payment_versions (
  reference TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  version TEXT NOT NULL CHECK (version IN ('v1', 'legacy')),
  PRIMARY KEY (reference, environment)
) STRICT, WITHOUT ROWID;

-- Verification endpoints that have given a usable answer; the others are unproven.
CREATE TABLE proven_endpoints (
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  endpoint TEXT NOT NULL CHECK (endpoint IN ('collection', 'payout')),
  proven_at INTEGER NOT NULL,
  PRIMARY KEY (environment, endpoint)
) STRICT, WITHOUT ROWID;

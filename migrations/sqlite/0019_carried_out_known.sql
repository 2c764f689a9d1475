-- What a run knew of the log, and so the close that froze it; and which entry changed a record last.

ALTER TABLE refunds ADD COLUMN changed_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE payouts ADD COLUMN changed_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE collections ADD COLUMN changed_seq INTEGER NOT NULL DEFAULT 0;

-- Records that entries changed after a run, also when the clock was set back meanwhile.
CREATE INDEX refunds_carried ON refunds (changed_seq, changed_at) WHERE changed_seq > 0;
CREATE INDEX payouts_carried ON payouts (changed_seq, changed_at) WHERE changed_seq > 0;
CREATE INDEX collections_carried ON collections (changed_seq, changed_at) WHERE changed_seq > 0;

ALTER TABLE reconciliation_runs ADD COLUMN carried_out INTEGER NOT NULL DEFAULT 0;

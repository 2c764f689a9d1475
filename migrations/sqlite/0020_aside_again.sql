-- What carrying out needs of a delivery that was set aside, when a person asks for it again.

ALTER TABLE aside ADD COLUMN merchant_signature TEXT CHECK (merchant_signature IN ('verified', 'absent'));
ALTER TABLE aside ADD COLUMN sent_at TEXT;
-- Of an entry, as the log has it.
ALTER TABLE aside ADD COLUMN digest BLOB;
ALTER TABLE aside ADD COLUMN retry_at INTEGER;

CREATE INDEX aside_retry ON aside (id) WHERE retry_at IS NOT NULL;

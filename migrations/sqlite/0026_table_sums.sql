-- The last entry of a shared log that asked for sums of the tables, its time, and the digest of the sums there; NULL until they are summed.
ALTER TABLE carried_out ADD COLUMN summed_seq INTEGER;
ALTER TABLE carried_out ADD COLUMN summed_at INTEGER;
ALTER TABLE carried_out ADD COLUMN summed_digest BLOB;

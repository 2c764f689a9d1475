-- Run as the owner of the schema, who needs CREATEROLE unless both roles are there: psql -f grants.sql. Then give the roles passwords: \password NAME

-- NAME: the program. It appends entries; it cannot change or delete one.
DO $$ BEGIN CREATE ROLE "NAME" LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
GRANT USAGE ON SCHEMA tallyhook TO "NAME";
GRANT SELECT ON ALL TABLES IN SCHEMA tallyhook TO "NAME";
GRANT EXECUTE ON FUNCTION
  tallyhook.timeline(), tallyhook.ms(timestamptz),
  tallyhook.append(integer, text, text[], text[], integer[], bytea, text),
  tallyhook.see(text, text, text, integer, text[], bigint, text[], text, text, double precision, bigint),
  tallyhook.mark_left(text, bigint), tallyhook.raise_epoch(text, bigint), tallyhook.adopt()
TO "NAME";
GRANT INSERT, UPDATE, DELETE ON tallyhook.nodes TO "NAME";
GRANT INSERT ON tallyhook.checkpoints, tallyhook.snapshots, tallyhook.snapshot_parts TO "NAME";
GRANT UPDATE (digest) ON tallyhook.checkpoints TO "NAME";
GRANT UPDATE (digest, bytes, parts) ON tallyhook.snapshots TO "NAME";

-- NAME_upkeep: deletes what snapshots have made dispensable, for cluster.upkeep. The owner alone migrates: tallyhook cluster begin.
DO $$ BEGIN CREATE ROLE "NAME_upkeep" LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
GRANT USAGE ON SCHEMA tallyhook TO "NAME_upkeep";
GRANT SELECT ON ALL TABLES IN SCHEMA tallyhook TO "NAME_upkeep";
GRANT EXECUTE ON FUNCTION tallyhook.timeline(), tallyhook.ms(timestamptz) TO "NAME_upkeep";
GRANT DELETE ON tallyhook.entries, tallyhook.checkpoints, tallyhook.snapshots, tallyhook.snapshot_parts TO "NAME_upkeep";

-- A log is left by one machine: that one has all of it, and its books go on alone. And it counts in one database of one server: a copy
-- in another database of the same server is a copy, too.

-- The id of the node that left.
ALTER TABLE tallyhook.head ADD COLUMN left_by text;
-- The database in which the log counts, beside `server`.
ALTER TABLE tallyhook.head ADD COLUMN database oid;
UPDATE tallyhook.head SET database = (SELECT oid FROM pg_database WHERE datname = current_database());
ALTER TABLE tallyhook.head ALTER COLUMN database SET NOT NULL;

CREATE OR REPLACE FUNCTION tallyhook.mark_left(by_id text, lives_ms bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h tallyhook.head%ROWTYPE;
BEGIN
  PERFORM tallyhook.refuse_while_others_live(by_id, lives_ms);
  SELECT * INTO STRICT h FROM tallyhook.head;
  IF h.left_at IS NOT NULL AND h.left_by IS DISTINCT FROM by_id THEN
    RAISE EXCEPTION '% left the log at %', coalesce((SELECT name FROM tallyhook.nodes WHERE id = h.left_by), h.left_by, 'unknown'),
      to_char(h.left_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') USING ERRCODE = 'TH005';
  END IF;
  UPDATE tallyhook.head SET left_at = coalesce(left_at, clock_timestamp()), left_by = by_id;
END
$$;

CREATE OR REPLACE FUNCTION tallyhook.adopt() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  here text := (SELECT system_identifier::text FROM pg_control_system());
  here_in oid := (SELECT oid FROM pg_database WHERE datname = current_database());
BEGIN
  UPDATE tallyhook.head SET server = here, database = here_in, epoch = epoch + 1 WHERE server <> here OR database <> here_in;
END
$$;

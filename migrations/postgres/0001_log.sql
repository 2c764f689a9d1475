-- The log that several machines share. `head` has one row; its lock puts the appends of all machines in order.

CREATE TABLE tallyhook.head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  installation text NOT NULL,
  -- The system identifier of the server on which the log counts: on another one it is a copy.
  server text NOT NULL,
  -- Raised by a restore and by a move to another server.
  epoch integer NOT NULL,
  seq bigint NOT NULL,
  chain bytea NOT NULL,
  at timestamptz NOT NULL,
  -- Of the program whose rules decide.
  version text NOT NULL,
  left_at timestamptz,
  -- How many migrations these tables have had.
  tables integer NOT NULL
);

CREATE TABLE tallyhook.entries (
  seq bigint PRIMARY KEY,
  id text NOT NULL UNIQUE CHECK (id ~ '^[0-9a-f]{32}$'),
  at timestamptz NOT NULL,
  node text NOT NULL CHECK (node !~ '[\n\r]'),
  version text NOT NULL CHECK (version !~ '[\n\r]'),
  -- sha256 of the chain before it and of all that the entry holds.
  chain bytea NOT NULL,
  bytes bytea NOT NULL
);
-- Compressing would hold the lock of `head` longer than it takes to write the bytes.
ALTER TABLE tallyhook.entries ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE tallyhook.nodes (
  id text PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  schema integer,
  roles text[] NOT NULL,
  carried_out bigint,
  keys text[] NOT NULL,
  audit_key text,
  stopped text,
  clock_offset_ms double precision,
  seen_at timestamptz NOT NULL,
  signed_off boolean NOT NULL DEFAULT false
);

CREATE TABLE tallyhook.checkpoints (
  seq bigint NOT NULL,
  node text NOT NULL,
  epoch integer NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (seq, node, epoch)
);

CREATE TABLE tallyhook.snapshots (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seq bigint NOT NULL,
  chain bytea NOT NULL,
  epoch integer NOT NULL,
  node text NOT NULL,
  version text NOT NULL,
  schema integer NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- These three once it is whole.
  digest bytea,
  bytes bigint,
  parts integer
);

CREATE TABLE tallyhook.snapshot_parts (
  snapshot bigint NOT NULL REFERENCES tallyhook.snapshots ON DELETE CASCADE,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (snapshot, part)
);
ALTER TABLE tallyhook.snapshot_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- The timeline of the server: it rises with each failover. A server in recovery has none of its own yet.
CREATE FUNCTION tallyhook.timeline() RETURNS integer LANGUAGE sql
RETURN CASE WHEN pg_is_in_recovery() THEN NULL
  ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer END;

-- Milliseconds since 1970, as they stand in the chain.
CREATE FUNCTION tallyhook.ms(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN trunc(extract(epoch FROM at) * 1000)::bigint;

-- Appends entries and returns where each of them is. It runs with the rights of its owner: the role of the program may call it, and
-- may neither change nor delete an entry. An id that is in the log keeps its place. The head is written in any case, so that the
-- commit waits for what an earlier commit may not have waited for.
CREATE FUNCTION tallyhook.append(
  by_epoch integer, by_node text, ids text[], versions text[], lengths integer[], content bytea, rules_of text,
  OUT seqs bigint[], OUT ats bigint[], OUT last_seq bigint, OUT last_chain bytea
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
DECLARE
  h tallyhook.head%ROWTYPE;
  entry tallyhook.entries%ROWTYPE;
  begins integer := 1;
BEGIN
  SELECT * INTO STRICT h FROM tallyhook.head FOR UPDATE;
  IF h.epoch <> by_epoch THEN
    RAISE EXCEPTION 'epoch %', h.epoch USING ERRCODE = 'TH001';
  END IF;
  IF h.left_at IS NOT NULL THEN
    RAISE EXCEPTION 'left' USING ERRCODE = 'TH002';
  END IF;
  h.at := greatest(h.at, date_trunc('milliseconds', clock_timestamp()));
  FOR i IN 1 .. cardinality(ids) LOOP
    SELECT * INTO entry FROM tallyhook.entries WHERE id = ids[i];
    IF NOT FOUND THEN
      h.seq := h.seq + 1;
      entry := (h.seq, ids[i], h.at, by_node, versions[i], NULL, substring(content FROM begins FOR lengths[i]));
      entry.chain := sha256(h.chain || convert_to(concat_ws(
        E'\n', entry.seq, entry.id, tallyhook.ms(entry.at), entry.node, entry.version, ''), 'UTF8') || entry.bytes);
      INSERT INTO tallyhook.entries VALUES (entry.*);
      h.chain := entry.chain;
    END IF;
    begins := begins + lengths[i];
    seqs := seqs || entry.seq;
    ats := ats || tallyhook.ms(entry.at);
  END LOOP;
  UPDATE tallyhook.head SET seq = h.seq, chain = h.chain, at = h.at, version = coalesce(rules_of, h.version);
  last_seq := h.seq;
  last_chain := h.chain;
END
$$;

-- Refuses while another node than `by_id` was seen within `lives_ms`; no entry and no node comes in between.
CREATE FUNCTION tallyhook.refuse_while_others_live(by_id text, lives_ms bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
DECLARE
  living text;
BEGIN
  PERFORM FROM tallyhook.head FOR UPDATE;
  LOCK TABLE tallyhook.nodes IN SHARE ROW EXCLUSIVE MODE;
  SELECT string_agg(name, ', ' ORDER BY name) INTO living FROM tallyhook.nodes
  WHERE id <> by_id AND NOT signed_off AND seen_at > clock_timestamp() - lives_ms * interval '1 millisecond';
  IF living IS NOT NULL THEN
    RAISE EXCEPTION '%', living USING ERRCODE = 'TH003';
  END IF;
END
$$;

-- What else the role of the program may do to the head.

CREATE FUNCTION tallyhook.mark_left(by_id text, lives_ms bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
  PERFORM tallyhook.refuse_while_others_live(by_id, lives_ms);
  UPDATE tallyhook.head SET left_at = coalesce(left_at, clock_timestamp());
END
$$;

CREATE FUNCTION tallyhook.raise_epoch(by_id text, lives_ms bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
BEGIN
  PERFORM tallyhook.refuse_while_others_live(by_id, lives_ms);
  UPDATE tallyhook.head SET epoch = epoch + 1;
END
$$;

CREATE FUNCTION tallyhook.adopt() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog
AS $$
DECLARE
  here text := (SELECT system_identifier::text FROM pg_control_system());
BEGIN
  UPDATE tallyhook.head SET server = here, epoch = epoch + 1 WHERE server <> here;
END
$$;

-- Notes that a node lives. Refuses the name of another one with a database that was seen within `held_ms`.
CREATE FUNCTION tallyhook.see(
  of_id text, of_name text, of_version text, of_schema integer, of_roles text[], of_carried_out bigint, of_keys text[],
  of_audit_key text, of_stopped text, of_clock_offset_ms double precision, held_ms bigint
) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
  IF of_carried_out IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('tallyhook node ' || of_name, 0));
    PERFORM FROM tallyhook.nodes WHERE name = of_name AND id <> of_id AND carried_out IS NOT NULL
      AND NOT signed_off AND seen_at > clock_timestamp() - held_ms * interval '1 millisecond';
    IF FOUND THEN
      RAISE EXCEPTION '%', of_name USING ERRCODE = 'TH004';
    END IF;
  END IF;
  INSERT INTO tallyhook.nodes
  VALUES (of_id, of_name, of_version, of_schema, of_roles, of_carried_out, of_keys, of_audit_key, of_stopped,
    of_clock_offset_ms, clock_timestamp(), false)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, schema = excluded.schema,
    roles = excluded.roles, carried_out = excluded.carried_out, keys = excluded.keys, audit_key = excluded.audit_key,
    stopped = excluded.stopped, clock_offset_ms = excluded.clock_offset_ms, seen_at = excluded.seen_at, signed_off = false;
  -- Rows that no longer say anything: a name that this id took over, and receivers without a database that are gone.
  DELETE FROM tallyhook.nodes WHERE id <> of_id AND (
    (name = of_name AND carried_out IS NOT NULL AND of_carried_out IS NOT NULL)
    OR (carried_out IS NULL AND seen_at < clock_timestamp() - interval '1 hour'));
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tallyhook FROM PUBLIC;

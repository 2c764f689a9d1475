import { readdirSync, readFileSync } from 'node:fs';
import { asRole } from '../../../domain/cluster/server-address.ts';
import { packageFile } from '../../../package-root.ts';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import { CHAIN_START, type LogHead, NODE_LIVES_MS, type SharedLogUpkeep } from '../shared-log.ts';
import type { Connection } from './connection.ts';
import { expectTables, HEAD, type HeadRow, headOf, TABLES, THIS_DATABASE } from './head.ts';
import { expectSafe } from './kept.ts';
import { Known, leftLog } from './known.ts';
import * as nodes from './nodes.ts';
import { connectToPrimary } from './primary.ts';
import { deadlineOf, faultOf, Session } from './session.ts';
import { prune } from './snapshots.ts';

/** Making the tables waits for this long at most: other commands may be under way. */
const BEGIN_MS = 60_000;

/** What persons do with the log as a whole. `begin` needs the owner; `prune` is done by the role of `upkeep`. */
export function openPostgresUpkeep(order: PostgresOrder): SharedLogUpkeep {
  const [session, pruning] = [order, asUpkeep(order)].map(
    (one) => new Session(one, new Known(null, { evenLeft: true })),
  ) as [Session, Session];
  const then = async (text: string, values: readonly unknown[]): Promise<LogHead> => {
    await session.alone(() => session.ask({ text }, values));
    return nodes.head(session);
  };
  return {
    begin: (given) => begin(order, given),
    leave: (id) => then('SELECT tallyhook.mark_left($1, $2)', [id, NODE_LIVES_MS]),
    raiseEpoch: (id) => then('SELECT tallyhook.raise_epoch($1, $2)', [id, NODE_LIVES_MS]),
    adopt: () => then('SELECT tallyhook.adopt()', []),
    prune: ({ beforeMs }) => pruning.alone(() => prune(pruning, beforeMs)),
    close: async () => void (await Promise.all([session.close(), pruning.close()])),
  };
}

function asUpkeep(order: PostgresOrder): PostgresOrder {
  const { url, upkeep } = order;
  return upkeep === null ? order : { ...order, url: asRole(url, upkeep.role), password: upkeep.password };
}

type Begin = Parameters<SharedLogUpkeep['begin']>[0];
type Begun = Awaited<ReturnType<SharedLogUpkeep['begin']>>;

async function begin(order: PostgresOrder, given: Begin): Promise<Begun> {
  const { connection } = await connectToPrimary(order);
  expectSafe(connection, order);
  const deadline = deadlineOf(BEGIN_MS);
  const ask = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await connection.run<Row>({ text }, values, deadline.signal)).rows;
  try {
    await ask('BEGIN');
    await ask(`SELECT pg_advisory_xact_lock(hashtextextended('tallyhook begin', 0))`);
    const [has] = await ask<{ head: string | null }>(`SELECT to_regclass('tallyhook.head')::text AS head`);
    const tables = has?.head == null ? 0 : await tablesOf(ask);
    if (tables > TABLES) expectTables(tables, connection.name);
    await migrate(ask, tables);
    const did = await takeUp(ask, given, tables, connection);
    await ask('COMMIT');
    const [row] = await ask<HeadRow>(HEAD.text);
    return { head: headOf(row, connection.name), did };
  } catch (error) {
    throw faultOf(error, connection, deadline);
  } finally {
    deadline.clear();
    await connection.end().catch(() => {});
  }
}

type Ask = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

async function tablesOf(ask: Ask): Promise<number> {
  const [row] = await ask<{ tables: number }>('SELECT tables FROM tallyhook.head');
  return row?.tables ?? 0;
}

/** Applies what the tables lack, in order. */
async function migrate(ask: Ask, tables: number): Promise<void> {
  if (tables === 0) await ask('CREATE SCHEMA IF NOT EXISTS tallyhook');
  for (const file of migrations().slice(tables)) await ask(readFileSync(file, 'utf8'));
  if (tables > 0) await ask('UPDATE tallyhook.head SET tables = $1', [TABLES]);
}

function migrations(): string[] {
  const folder = packageFile('migrations', 'postgres');
  const files = readdirSync(folder).filter((file) => /^\d{4}_\w+\.sql$/.test(file));
  return files.sort().map((file) => packageFile('migrations', 'postgres', file));
}

/** Gives the log its head, or takes up the one that it has. */
async function takeUp(ask: Ask, given: Begin, tables: number, { name }: Connection): Promise<Begun['did']> {
  if (tables === 0) {
    await makeHead(ask, given, 1);
    return 'made';
  }
  const [row] = await ask<HeadRow>(HEAD.text);
  const head = headOf(row, name);
  const { installation, again } = given;
  if (head.hasLeft && again !== null) {
    if (Buffer.compare(head.chain, again) !== 0) throw leftAnother(name);
    await ask(`TRUNCATE ${TABLES_OF_LOG.map((table) => `tallyhook.${table}`).join(', ')}`);
    await makeHead(ask, given, head.epoch + 1); // a connection to the former one appends nothing to this one
    return 'again';
  }
  if (head.hasLeft) throw leftLog(name);
  if (head.installation !== installation) {
    throw new StoreError(
      'cluster_refused',
      `The log at ${name} is of installation ${head.installation}; this machine is of ${installation}.`,
      { hint: 'Give this installation a database of its own, or join the other one with an empty folder.' },
    );
  }
  return tables < TABLES ? 'updated' : 'nothing';
}

const TABLES_OF_LOG = ['head', 'entries', 'nodes', 'checkpoints', 'snapshots', 'snapshot_parts'];

async function makeHead(ask: Ask, { installation, version }: Begin, epoch: number): Promise<void> {
  await ask(
    `INSERT INTO tallyhook.head (installation, server, database, epoch, seq, chain, at, version, tables)
     SELECT $1, system_identifier::text, ${THIS_DATABASE}, $2, 0, $3, date_trunc('milliseconds', clock_timestamp()), $4, $5
     FROM pg_control_system()`,
    [installation, epoch, Buffer.from(CHAIN_START), version, TABLES],
  );
}

/** What the log has is not all in the database: it is not deleted. */
function leftAnother(name: string): StoreError {
  return new StoreError('cluster_refused', `The log at ${name} is not the one that this database has left.`, {
    hint: 'Run it where `tallyhook cluster leave` ran, or begin in another database of PostgreSQL.',
  });
}

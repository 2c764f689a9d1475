import type { Config } from '../../../src/config/load.ts';
import { requireKeyPairs } from '../../../src/config/required-keys.ts';
import { isExpected } from '../../../src/confirm/cluster-problems.ts';
import { type KeyCoverage, type KeyHolder, keyCoverage } from '../../../src/domain/cluster/key-coverage.ts';
import { nodeKeyOf, readNodeKey } from '../../../src/domain/cluster/node-key.ts';
import type { ClusterNode, ClusterStatus } from '../../../src/store/cluster-port.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { type Column, differencesFound, note, printJson, printTable } from '../../show/output.ts';

/** A key pair that this configuration has, or the serve of a machine. */
interface KeyRow extends KeyCoverage {
  /** Null: this configuration does not have the pair. */
  readonly environment: string | null;
  readonly notAfter: string | null;
}

/** `tallyhook keys status`: which machine has which key pair. */
export function addKeysStatusCommand(cli: Cli): Cli {
  return cli.command(
    'status',
    'Show which key pairs the serve of each machine has; exit code 3 when one lacks a pair that another has',
    (command) => command.example('$0 keys status', 'During a rotation, before the service is switched to the new pair'),
    async (argv) => {
      const config = await configFrom(argv);
      requireKeyPairs(config);
      const holders = await holdersOf(config);
      const rows = rowsOf(config, holders);
      if (argv.json) printJson({ machines: holders.map(({ name }) => name), keys: rows });
      else printTable(rows, holders.length === 0 ? KEY : [...KEY, ...HELD]);
      if (config.cluster.url === null)
        return note(
          'This machine is alone. Its serve takes changed keys over by SIGHUP; doctor tries them at the service.',
        );
      const problems = rows.flatMap((row) => problemsOf(row));
      for (const text of problems) note(text);
      if (problems.length > 0) differencesFound();
      else note('Every serve has every pair: the service may be switched to any of them.');
    },
  );
}

/** The configuration of this machine, and the `serve` of each other one; nothing for a machine alone. */
async function holdersOf(config: Config): Promise<KeyHolder[]> {
  const { cluster } = storeOf(config);
  if (cluster === null) return [];
  const name = 'this configuration';
  return [
    { name, keys: config.keyPairs.map((pair) => readNodeKey(nodeKeyOf(pair))) },
    ...asked(await cluster.status()).map((node) => ({ name: node.name, keys: node.keys.map(readNodeKey) })),
  ];
}

/** Nodes that live, and those that were killed and may come back with the keys that they had, unless one of their name has come back. */
function asked({ nodes, nowMs }: ClusterStatus): ClusterNode[] {
  const newest = new Map(
    nodes.toSorted((one, other) => one.seenAtMs - other.seenAtMs).map((node) => [node.name, node]),
  );
  return nodes.filter((node) => node.lives || (node === newest.get(node.name) && isExpected(node, nowMs)));
}

function rowsOf({ keyPairs }: Config, holders: readonly KeyHolder[]): KeyRow[] {
  const alone = keyPairs.map(({ id }): KeyCoverage => ({ id, on: [], missingOn: [], otherOn: [] }));
  return (holders.length === 0 ? alone : keyCoverage(holders)).map((coverage) => {
    const pair = keyPairs.find(({ id }) => id === coverage.id);
    return { ...coverage, environment: pair?.environment ?? null, notAfter: pair?.notAfter ?? null };
  });
}

/** A pair that verifies nothing any more need not be anywhere. */
function problemsOf({ id, notAfter, missingOn, otherOn }: KeyRow): string[] {
  if (notAfter !== null && Date.parse(notAfter) <= systemClock.nowMs()) return [];
  return [
    ...missingOn.map(
      (name) => `${name} lacks ${id}. Next: put it into the configuration there, then send its serve SIGHUP`,
    ),
    ...otherOn.map((name) => `${name} has other keys under ${id} than most. Next: compare the configuration there`),
  ];
}

const KEY: readonly Column<KeyRow>[] = [
  { header: 'key', value: ({ id }) => id },
  { header: 'environment', value: ({ environment }) => environment },
  { header: 'not after', value: ({ notAfter }) => notAfter, leaveOut: 1 },
];
const HELD: readonly Column<KeyRow>[] = [
  { header: 'on', value: ({ on }) => on.join(', ') },
  { header: 'missing on', value: ({ missingOn }) => missingOn.join(', ') || null },
  { header: 'other keys on', value: ({ otherOn }) => otherOn.join(', ') || null, leaveOut: 2 },
];

import { setTimeout as pause } from 'node:timers/promises';
import { divergedText, isBehind } from '../../../src/confirm/cluster-problems.ts';
import { readNodeKey } from '../../../src/domain/cluster/node-key.ts';
import {
  type ClusterNode,
  type ClusterPort,
  type ClusterStatus,
  isAtWork,
  LEFT_LOG_HINT,
} from '../../../src/store/cluster-port.ts';
import { MINUTE_MS } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { type Column, differencesFound, note, print, printJson, printTable } from '../../show/output.ts';
import { duration, isoTime, time, timeInColumn } from '../../show/text.ts';
import { clusterOf } from './port.ts';

/** `tallyhook cluster status`: the log and its nodes, all of one read. */
export function addClusterStatusCommand(cli: Cli): Cli {
  return cli.command(
    'status',
    'Show the log and how far each node is; exit code 3 when one is 60 s behind, has diverged or is unsafe',
    (command) =>
      command
        .option('compare', {
          type: 'boolean',
          default: false,
          describe: 'First let every node sum its tables at one entry, and wait until those that live have told',
        })
        .example('$0 cluster status', 'On any machine with the configuration'),
    async (argv) => {
      const cluster = clusterOf(await configFrom(argv));
      if (argv.compare) await compared(cluster);
      const status = await cluster.status();
      if (argv.json) printJson(asJson(status));
      else show(status);
      const problems = problemsOf(status);
      for (const text of problems) note(text);
      if (problems.length > 0) differencesFound();
    },
  );
}

/** Longest wait for the sums of large tables, and the pause between two looks. */
const COMPARED_MS = 10 * MINUTE_MS;
const LOOK_MS = 500;

/** Resolves when every node that lives and carries out has summed its tables. */
async function compared(cluster: ClusterPort): Promise<void> {
  const { seq } = await cluster.compare();
  for (const begunMs = performance.now(); performance.now() - begunMs < COMPARED_MS; await pause(LOOK_MS)) {
    const { nodes } = await cluster.status();
    if (nodes.filter(isAtWork).every(({ digest }) => digest !== null && digest.seq >= seq)) return;
  }
  note(`Not every node has summed its tables within ${duration(COMPARED_MS)}; see again later.`);
}

function show({ installation, epoch, head, nodes, server }: ClusterStatus): void {
  const { seq, atMs, timeline, version } = head;
  print(
    `Log at ${server.name}: entry ${seq} of ${time(atMs)}, epoch ${epoch}, timeline ${timeline}, rules of ${version}`,
  );
  print(`Installation ${installation}`);
  if (nodes.length > 0) printTable(nodes, COLUMNS);
}

const COLUMNS: readonly Column<ClusterNode>[] = [
  { header: 'node', value: ({ name }) => name },
  { header: 'roles', value: ({ roles }) => roles.join(','), leaveOut: 4 },
  { header: 'carried out', value: ({ carriedOut }) => carriedOut, align: 'right' },
  { header: 'behind', value: ({ behind }) => behindText(behind), align: 'right' },
  { header: 'digest', value: ({ digest }) => digest && `${digest.value.slice(0, 8)}… at ${digest.seq}`, leaveOut: 6 },
  { header: 'version', value: ({ version }) => version, leaveOut: 3 },
  { header: 'schema', value: ({ schema }) => schema, align: 'right', leaveOut: 5 },
  { header: 'keys', value: ({ keys }) => keys.map((key) => readNodeKey(key).id).join(','), leaveOut: 7 },
  { header: 'clock', value: ({ clockOffsetMs }) => offsetText(clockOffsetMs), align: 'right', leaveOut: 2 },
  { header: 'seen', value: ({ seenAtMs, lives }) => (lives ? 'lives' : timeInColumn(seenAtMs)) },
];

function behindText(behind: ClusterNode['behind']): string | null {
  if (behind === null) return null;
  return behind.entries === 0 ? '0' : `${behind.entries}, ${duration(behind.ms)}`;
}

function offsetText(offsetMs: number | null): string | null {
  return offsetMs === null ? null : `${offsetMs > 0 ? '+' : ''}${Math.round(offsetMs)} ms`;
}

/** What is not well, and the next step of each. */
function problemsOf({ head, nodes, server, nowMs }: ClusterStatus): string[] {
  if (head.hasLeft) return [`The machines left this log. ${LEFT_LOG_HINT}`];
  return [
    ...nodes
      .filter((node) => isBehind(node, nowMs))
      .map(
        ({ name, catchesUp, behind: { entries, ms } }) =>
          `${name} is ${entries} entries (${duration(ms)}) behind. ${catchesUp ? 'It catches up, and is ready then' : `Next: tallyhook doctor, on ${name}`}`,
      ),
    ...nodes.flatMap(({ name, hasDiverged }) => {
      if (!hasDiverged) return [];
      const { text, next } = divergedText(name, nodes);
      return [`${name} ${text}. Next: ${next}`];
    }),
    ...nodes.flatMap(({ name, stopped }) => (stopped === null ? [] : [`${name} does not go on: ${stopped}`])),
    ...server.unsafe.map(({ text, next }) => `PostgreSQL is unsafe: ${text}. Next: ${next}`),
  ];
}

function asJson({ installation, epoch, head, nodes, localTables }: ClusterStatus): object {
  const { seq, chain, atMs, timeline } = head;
  return {
    installation,
    epoch,
    head: { seq, chain, at: isoTime(atMs), timeline },
    nodes: nodes.map(
      ({ name, carriedOut, behind, digest, version, schema, roles, clockOffsetMs, seenAtMs, lives }) => ({
        ...{ name, carriedOut },
        behind: behind && { entries: behind.entries, seconds: behind.ms / 1_000 },
        ...{ digest, version, schema, roles, clockOffsetMs, seenAt: isoTime(seenAtMs), lives },
      }),
    ),
    localTables,
  };
}

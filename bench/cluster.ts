import { parseArgs } from 'node:util';
import { type ChecksRound, measureChecks } from './cluster/checks.ts';
import { carriedOutBy, nodesOn, secondsUntil } from './cluster/nodes.ts';
import { closedLoad, senderLoad } from './ingest/load.ts';
import { expectClean } from './ingest/load-result.ts';
import { lagQuantile, type MetricsPage } from './ingest/metrics-page.ts';
import { EventSource } from './ingest/request-file.ts';
import { SubjectProcess } from './ingest/subject-process.ts';
import { machineFacts, machineText } from './machine.ts';
import { type Spread, spread } from './statistics.ts';
import { digits, table, withSpread } from './table.ts';
import { Workplace } from './workplace.ts';

// The figures of several machines (docs/performance.md), each a ratio of subjects that take turns in one run. PostgreSQL is on this machine, so
// all of them share its processors.

export const CLUSTER_USAGE = `npm run bench -- cluster [options]
  --seconds N     length of one measurement (5); 0: only status checks are measured
  --rounds N      rounds; the median is shown (3)
  --behind N      events by which a node is behind that joins (200000); 0: not measured
  --checks N      due records that four nodes check in a round (20000); 0: not measured
  --folder DIR    folder for the databases, on the disk to measure (/var/tmp)
  --json          results as JSON`;

const CONNECTIONS = 64;
const STEADY_PER_SECOND = 1_000;
const WARM_UP_EVENTS = 20_000;
/** Events of a file for a second of a flood: more than two cores take. */
const MOST_PER_SECOND = 60_000;

type Figures = Record<(typeof LINES)[number], Spread>;

const LINES = [
  'ingest of one node, of bare',
  'ingest of two nodes, of one',
  'carrying out of a node, of a machine alone',
  'p99 at 1,000/s beyond bare, ms',
  'from 200 to visible on the other node, p99 at 1,000/s, ms',
] as const;

export async function benchCluster(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      behind: { type: 'string', default: '200000' },
      checks: { type: 'string', default: '20000' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const numbers = [values.seconds, values.rounds, values.behind, values.checks].map(Number);
  const [seconds = 0, rounds = 0, behind = 0, checks = 0] = numbers;
  if (!(numbers.every((number) => number >= 0) && rounds >= 1)) throw new Error('--rounds is 1 at least, the others 0');
  const workplace = new Workplace(values.folder);
  const show = (text: string) => values.json || console.log(`${text}\n`);
  try {
    show(machineText(machineFacts(workplace.folder)));
    const scale = { seconds, rounds, behind };
    const { figures, joined } = seconds === 0 ? { figures: null, joined: null } : await measureNodes(workplace, scale);
    if (figures !== null) show(figuresText(LINES.map((line) => [line, figures[line]])));
    if (joined !== null)
      show(`A node that joined behind by ${joined.events} events was level after ${digits(joined.seconds, 1)} s.`);
    const checked = checks === 0 ? null : await checkRounds(workplace, checks, rounds);
    if (checked !== null) show(figuresText(Object.entries(checked)));
    if (values.json) console.log(JSON.stringify({ ...figures, joined, ...checked }, null, 2));
  } finally {
    workplace.close();
  }
}

function figuresText(figures: readonly (readonly [string, Spread])[]): string {
  const rows = figures.map(([line, found]) => [line, withSpread(found, digits)]);
  return table(['several machines', 'median (min to max)'], rows);
}

/** Two nodes beside a machine alone and `bare`, then a third one that joins. */
async function measureNodes(
  workplace: Workplace,
  { behind, ...scale }: { readonly seconds: number; readonly rounds: number; readonly behind: number },
) {
  const nodes = await nodesOn(workplace, 'nodes');
  try {
    const bare = await SubjectProcess.start(workplace, 'bare');
    const alone = await SubjectProcess.start(workplace, 'tallyhook');
    const one = await nodes.start('one');
    const two = await nodes.start('two');
    const figures = await measureRounds(workplace, { bare, alone, one, two }, scale);
    await alone.discard();
    const joined = behind === 0 ? null : await joinBehind(workplace, nodes, { one, two, behind });
    await bare.stop();
    return { figures, joined };
  } finally {
    await nodes.close();
  }
}

async function checkRounds(workplace: Workplace, records: number, rounds: number): Promise<Record<string, Spread>> {
  const found: ChecksRound[] = [];
  for (let round = 1; round <= rounds; round++) {
    found.push(await measureChecks(workplace, records, round));
    console.error(`cluster: checks, round ${round} of ${rounds}`);
  }
  return {
    'checks by four nodes, of ideal': spread(found.map(({ ofIdeal }) => ofIdeal)),
    'of this, processor time of all nodes for a check, µs': spread(found.map(({ cpuMicros }) => cpuMicros)),
    'entries for each hundred checks': spread(found.map(({ entriesPerHundred }) => entriesPerHundred)),
  };
}

interface Subjects {
  readonly bare: SubjectProcess;
  readonly alone: SubjectProcess;
  readonly one: SubjectProcess;
  readonly two: SubjectProcess;
}

/** The subjects take turns in each round, with distinct events. */
async function measureRounds(
  workplace: Workplace,
  { bare, alone, one, two }: Subjects,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<Figures> {
  const events = new EventSource(workplace);
  const found = new Map<string, number[]>(LINES.map((line) => [line, []]));
  const note = (line: (typeof LINES)[number], value: number) => found.get(line)?.push(value);

  /** A flood at each of these; how many were acknowledged, and carried out by the first of them, in a second. */
  async function flood(at: readonly SubjectProcess[]): Promise<{ kept: number; carriedOut: number }> {
    const connections = CONNECTIONS / at.length;
    const files = at.map(() => events.file((MOST_PER_SECOND * seconds) / at.length));
    const [first] = at as [SubjectProcess, ...SubjectProcess[]];
    const before = first.kind === 'bare' ? 0 : await carriedOutBy(first);
    const results = await Promise.all(
      at.map(({ port }, n) => closedLoad(workplace, { port, connections, file: files[n] as never }, seconds)),
    );
    const kept = results.reduce((sum, { requests }) => sum + requests, 0);
    for (const result of results) expectClean(`a flood of ${at.length}`, result);
    const restSeconds = first.kind === 'bare' ? 0 : await secondsUntil(first, before + kept);
    for (const file of files) events.discard(file);
    return { kept: kept / seconds, carriedOut: kept / (seconds + restSeconds) };
  }

  async function steady(at: SubjectProcess): Promise<number> {
    const file = events.file(STEADY_PER_SECOND * seconds);
    const load = { port: at.port, connections: CONNECTIONS, file };
    const result = await senderLoad(workplace, load, { kind: 'steady', perSecond: STEADY_PER_SECOND });
    events.discard(file);
    expectClean('1,000 a second', result);
    return result.p99Ms;
  }

  for (const subject of [bare, alone, one, two]) {
    const file = events.file(WARM_UP_EVENTS);
    await senderLoad(workplace, { port: subject.port, connections: CONNECTIONS, file }, { kind: 'all' });
    events.discard(file);
  }
  await secondsUntil(alone, WARM_UP_EVENTS);
  for (const node of [one, two]) await secondsUntil(node, 2 * WARM_UP_EVENTS);
  for (let round = 0; round < rounds; round++) {
    const [bareFlood, aloneFlood] = [await flood([bare]), await flood([alone])];
    const oneFlood = await flood([one]);
    await secondsUntil(two, await carriedOutBy(one));
    const twoFlood = await flood([one, two]);
    await secondsUntil(two, await carriedOutBy(one));
    note('ingest of one node, of bare', oneFlood.kept / bareFlood.kept);
    note('ingest of two nodes, of one', twoFlood.kept / oneFlood.kept);
    note('carrying out of a node, of a machine alone', oneFlood.carriedOut / aloneFlood.carriedOut);
    const bareMs = await steady(bare);
    const before = (await two.metrics()) as MetricsPage;
    note('p99 at 1,000/s beyond bare, ms', (await steady(one)) - bareMs);
    await secondsUntil(two, await carriedOutBy(one));
    const after = (await two.metrics()) as MetricsPage;
    note('from 200 to visible on the other node, p99 at 1,000/s, ms', lagQuantile(before, after, 0.99) * 1_000);
    console.error(`cluster: round ${round + 1} of ${rounds}`);
  }
  return Object.fromEntries(LINES.map((line) => [line, spread(found.get(line) ?? [])])) as Figures;
}

/** A node joins with the first snapshot, and carries out what came since. */
async function joinBehind(
  workplace: Workplace,
  nodes: Awaited<ReturnType<typeof nodesOn>>,
  { one, two, behind }: { readonly one: SubjectProcess; readonly two: SubjectProcess; readonly behind: number },
): Promise<{ readonly events: number; readonly seconds: number }> {
  const events = new EventSource(workplace);
  const file = events.file(behind);
  const result = await senderLoad(workplace, { port: one.port, connections: CONNECTIONS, file }, { kind: 'all' });
  events.discard(file);
  expectClean('the events to join behind', result);
  const all = await carriedOutBy(one);
  await secondsUntil(two, all);
  const begunMs = performance.now();
  const three = await nodes.start('three');
  await secondsUntil(three, all);
  return { events: all, seconds: (performance.now() - begunMs) / 1_000 };
}

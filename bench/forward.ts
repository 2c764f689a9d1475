import { parseArgs } from 'node:util';
import { type BesideRow, measureBeside } from './forward/beside.ts';
import { measureCarryingOut } from './forward/carrying-out.ts';
import { measureReceiving, type ReceivingRow } from './forward/receiving.ts';
import { measureSettling, type SettlingFigures } from './forward/settling.ts';
import { machineFacts, machineText } from './machine.ts';
import { median } from './statistics.ts';
import { digits, table, whole } from './table.ts';
import { Workplace } from './workplace.ts';

// The figures of forwarding (docs/performance.md): a fast target beside a slow one, receiving beside both, and carrying out beside a
// target that gets each event. Then how long confirmed news takes, at ten payments a second of the sandbox.

export const FORWARD_USAGE = `npm run bench -- forward [options]
  --per-minute N     events a minute, each handed on to every target (10000)
  --seconds N        how long (5)
  --events N         events carried out with and without a target (20000)
  --rounds N         rounds; the median is shown (3)
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON`;

/** Highest ratio of the fast target's p99 beside a slow one to its p99 alone. */
const BESIDE = 1.2;
/** Highest ratio of the p99 of deliveries while they are forwarded to that without a target. */
const RECEIVING = 1.5;
/** Longest p99, from the acknowledgement of a webhook that reports a payment settled to the arrival of its confirmed news. */
const SETTLED_MS = 5_000;
const PAYMENTS_PER_SECOND = 10;
const PAYMENTS_SECONDS = 30;
/** Lowest ratio of the events carried out with a target to those without. */
const CARRYING_OUT = 0.85;

export async function benchForward(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'per-minute': { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '5' },
      events: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '3' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const workplace = new Workplace(values.folder);
  if (!values.json) console.log(machineText(await machineFacts(workplace.folder)));
  const scale = { perMinute: Number(values['per-minute']), seconds: Number(values.seconds) };
  const beside: BesideRow[] = [];
  const receiving: ReceivingRow[] = [];
  const carrying = { without: [] as number[], with: [] as number[] };
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const subject of ['alone', 'beside'] as const)
      beside.push(await measureBeside(workplace, subject, scale, `${subject}-${round}.db`));
    for (const subject of ['alone', 'beside'] as const)
      receiving.push(await measureReceiving(workplace, subject, scale, `receiving-${subject}-${round}`));
    carrying.without.push(await measureCarryingOut(workplace, false, Number(values.events), `without-${round}.db`));
    carrying.with.push(await measureCarryingOut(workplace, true, Number(values.events), `with-${round}.db`));
    console.error(`forward: round ${round} of ${values.rounds}`);
  }
  const settling = await measureSettling(workplace, { perSecond: PAYMENTS_PER_SECOND, seconds: PAYMENTS_SECONDS });
  workplace.close();
  const of = (subject: BesideRow['subject'], value: (row: BesideRow) => number) =>
    median(beside.filter((row) => row.subject === subject).map(value));
  const received = (subject: ReceivingRow['subject'], value: (row: ReceivingRow) => number) =>
    median(receiving.filter((row) => row.subject === subject).map(value));
  const figures = {
    receivedP50Ms: { alone: received('alone', (row) => row.p50Ms), beside: received('beside', (row) => row.p50Ms) },
    receivedP99Ms: { alone: received('alone', (row) => row.p99Ms), beside: received('beside', (row) => row.p99Ms) },
    p50Ms: { alone: of('alone', (row) => row.p50Ms), beside: of('beside', (row) => row.p50Ms) },
    p99Ms: { alone: of('alone', (row) => row.p99Ms), beside: of('beside', (row) => row.p99Ms) },
    perMinute: { alone: of('alone', (row) => row.perMinute), beside: of('beside', (row) => row.perMinute) },
    carriedOut: { alone: median(carrying.without), beside: median(carrying.with) },
    settling,
  };
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else console.log(textOf(figures));
  const isSlow = figures.p99Ms.beside / figures.p99Ms.alone > BESIDE;
  const isReceivedLate = figures.receivedP99Ms.beside / figures.receivedP99Ms.alone > RECEIVING;
  const isSettledLate = settling.missing > 0 || settling.p99Ms > SETTLED_MS;
  if (isSlow || isReceivedLate || isSettledLate || figures.carriedOut.beside / figures.carriedOut.alone < CARRYING_OUT)
    process.exitCode = 1;
}

type Figures = Readonly<
  Record<
    'p50Ms' | 'p99Ms' | 'receivedP50Ms' | 'receivedP99Ms' | 'perMinute' | 'carriedOut',
    { alone: number; beside: number }
  >
> & { readonly settling: SettlingFigures };

function textOf(figures: Figures): string {
  const line = (name: string, { alone, beside }: Figures['p50Ms'], show: (value: number) => string) => [
    name,
    show(alone),
    show(beside),
    digits(beside / alone),
  ];
  return [
    table(
      ['fast target', 'alone', 'beside a slow one', 'ratio'],
      [
        line('p50 ms', figures.p50Ms, digits),
        line('p99 ms', figures.p99Ms, digits),
        line('news per minute', figures.perMinute, whole),
      ],
    ),
    table(
      ['receiving', 'no target', 'both targets', 'ratio'],
      [line('p50 ms', figures.receivedP50Ms, digits), line('p99 ms', figures.receivedP99Ms, digits)],
    ),
    table(
      ['confirmed news', 'payments', 'missing', 'p50 ms', 'p99 ms', 'max ms'],
      [
        [
          'from its webhook',
          ...[figures.settling.payments, figures.settling.missing].map(whole),
          ...[figures.settling.p50Ms, figures.settling.p99Ms, figures.settling.maxMs].map(whole),
        ],
      ],
    ),
    table(['carrying out', 'no target', 'one target', 'ratio'], [line('events per second', figures.carriedOut, whole)]),
  ].join('\n\n');
}

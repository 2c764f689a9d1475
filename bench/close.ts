import { copyFileSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { besideText, measureBeside } from './beside-command.ts';
import { filledSheets, reconciledMonth } from './close/fill.ts';
import { type Cost, medianCost, tallyhook } from './command.ts';
import { machineFacts, machineText } from './machine.ts';
import { digits, megabytes, table, whole } from './table.ts';
import { Workplace } from './workplace.ts';

// The figures of exceptions, closing and reports (docs/performance.md).

export const CLOSE_USAGE = `npm run bench -- close [options]
  --records N        records of the month to close, with as many lines (1000000)
  --exceptions N     exceptions of the month with many (50000)
  --beside           also: how long deliveries take while each command runs again and again
  --rounds N         rounds; the median is shown (3)
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON`;

/** Of the large month, three records of these many are wrong: 5,000 breaks for a million. */
const FEW = 400;
/** Half of the records become an exception. */
const MANY = 4;
/** Highest ratio of the deliveries' p99 beside a command to the p99 without one. */
const DELAYED = 1.5;

const CHECK = ['period', 'check', '2026-10'];
const LIST = ['exceptions', 'list'];
const page = (path: string) => ['report', 'month', '2026-10', '--format', 'html', '--out', path];
const take = (sheet: string) => ['exceptions', 'import', sheet, '--as', 'Ada Obi'];

const STEPS = ['period check', 'month as HTML', 'exceptions list', 'exceptions import'] as const;
type Step = (typeof STEPS)[number];
/** Seconds of processor time, the start of the program included. */
const AT_MOST: Readonly<Record<Step, number>> = {
  'period check': 10,
  'month as HTML': 5,
  'exceptions list': 1,
  'exceptions import': 5,
};

export async function benchClose(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      records: { type: 'string', default: '1000000' },
      exceptions: { type: 'string', default: '50000' },
      beside: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const workplace = new Workplace(values.folder);
  try {
    if (!values.json) console.log(machineText(machineFacts(workplace.folder)));
    const month = reconciledMonth(workplace, 'month', Number(values.records), FEW);
    const queue = reconciledMonth(workplace, 'queue', Number(values.exceptions) * 2, MANY);
    const prepared = { month, queue, sheets: filledSheets(workplace, queue) };
    console.error('close: both months are reconciled');
    const rounds: Round[] = [];
    for (let round = 1; round <= Number(values.rounds); round++) {
      rounds.push(measure(workplace, prepared));
      console.error(`close: round ${round} of ${values.rounds}`);
    }
    const beside = values.beside ? await besideCommands(workplace, prepared, Number(values.rounds)) : null;
    const steps = medianSteps(rounds);
    const pageBytes = rounds[0]?.pageBytes ?? 0;
    if (values.json) console.log(JSON.stringify({ steps, pageBytes, beside }, null, 2));
    else console.log([text(steps, pageBytes), ...(beside === null ? [] : [besideText(beside)])].join('\n\n'));
    const isDelayed = beside?.some(({ ofFirst }) => ofFirst > DELAYED) ?? false;
    if (isDelayed || steps.some(({ step, cpuSeconds }) => cpuSeconds > AT_MOST[step])) process.exitCode = 1;
  } finally {
    workplace.close();
  }
}

interface Prepared {
  readonly month: string;
  readonly queue: string;
  readonly sheets: readonly string[];
}

type Round = Readonly<Record<Step, Cost>> & { readonly pageBytes: number };

/** The import changes rows, so it works on a copy. */
function measure(workplace: Workplace, { month, queue, sheets: [sheet = ''] }: Prepared): Round {
  const copy = workplace.path('round.db');
  for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(`${copy}${ending}`, { force: true });
  copyFileSync(queue, copy);
  const path = workplace.path('page.html');
  return {
    'period check': tallyhook(workplace, month, CHECK),
    'month as HTML': tallyhook(workplace, month, page(path)),
    'exceptions list': tallyhook(workplace, queue, LIST),
    'exceptions import': tallyhook(workplace, copy, take(sheet)),
    pageBytes: statSync(path).size,
  };
}

/** Each turn of the import has other rows. */
function besideCommands(workplace: Workplace, { month, queue, sheets }: Prepared, rounds: number) {
  const imports = (turn: number) => take(sheets[turn % sheets.length] ?? '');
  const subjects = [
    { name: 'idle', database: month, words: null },
    { name: 'period check', database: month, words: () => CHECK },
    { name: 'month as HTML', database: month, words: (turn: number) => page(workplace.path(`page-${turn}.html`)) },
    { name: 'exceptions list', database: queue, words: () => LIST },
    { name: 'exceptions import', database: queue, words: imports },
  ];
  return measureBeside(workplace, subjects, { rounds });
}

const medianSteps = (rounds: readonly Round[]) =>
  STEPS.map((step) => ({ step, ...medianCost(rounds.map((round) => round[step])) }));

function text(steps: ReturnType<typeof medianSteps>, pageBytes: number): string {
  const rows = steps.map(({ step, seconds, cpuSeconds, rssBytes }) => [
    step,
    digits(seconds, 1),
    digits(cpuSeconds, 1),
    whole(AT_MOST[step]),
    megabytes(rssBytes),
  ]);
  return `${table(['', 's', 'processor s', 'at most', 'max RSS'], rows)}\n\nThe page has ${megabytes(pageBytes)}.`;
}

import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { besideText, measureBeside } from './beside-command.ts';
import { type Cost, medianCost, tallyhook } from './command.ts';
import { machineFacts, machineText } from './machine.ts';
import { emptyLog, fillPart, makeDatabase, NEXT_DAY, PROFILE, WHOLE_MONTH } from './reconcile/fill.ts';
import { linesIn, reconcile, reconcileNext, shellJoin, WORDS } from './reconcile/run.ts';
import { median } from './statistics.ts';
import { digits, megabytes, table, whole } from './table.ts';
import { Workplace } from './workplace.ts';

// The figures of the reconciliation (docs/performance.md), beside the least work in the same run.

export const RECONCILE_USAGE = `npm run bench -- reconcile [options]
  --records N        records, with nearly as many lines (1000000; 1 GB of disk for each million)
  --new N            records and lines that come later (10000)
  --beside           also: how long deliveries take while a run goes on
  --rounds N         rounds; the median is shown (3)
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON`;

/** Highest ratio of the processor time of a dry run to the shell's; the aim is 2.5. */
const MOST_OF_SHELL = 3.5;
/** Highest ratio of the deliveries' p99 beside a run to the p99 without one. */
const DELAYED = 1.5;
const MOST_RSS_BYTES = 400 * 1024 * 1024;

const STEPS = ['shell', 'dry run', 'kept', 'again', 'new lines', 'full'] as const;
type Step = (typeof STEPS)[number];
type Round = Readonly<Record<Step, Cost>>;

export async function benchReconcile(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      records: { type: 'string', default: '1000000' },
      new: { type: 'string', default: '10000' },
      beside: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [records, later] = [Number(values.records), Number(values.new)];
  const workplace = new Workplace(values.folder);
  try {
    if (!values.json) console.log(machineText(machineFacts(workplace.folder)));
    const settled = await settle(workplace, records);
    const rounds: Round[] = [];
    for (let round = 1; round <= Number(values.rounds); round++) {
      rounds.push(measure(workplace, settled, { records, later }));
      console.error(`reconcile: round ${round} of ${values.rounds}`);
    }
    const beside = values.beside ? await besideRuns(workplace, settled.database, Number(values.rounds)) : null;
    const figures = figuresOf(rounds);
    if (values.json) console.log(JSON.stringify({ records, later, ...figures, beside: beside }, null, 2));
    else {
      const tables = [text(figures, settled.lineCount, later), ...(beside === null ? [] : [besideText(beside)])];
      console.log(tables.join('\n\n'));
    }
    const isDelayed = beside?.some(({ ofFirst }) => ofFirst > DELAYED) ?? false;
    if (figures.ofShell > MOST_OF_SHELL || figures.rssBytes > MOST_RSS_BYTES || isDelayed) process.exitCode = 1;
  } finally {
    workplace.close();
  }
}

/** Each run beside keeps all anew. */
function besideRuns(workplace: Workplace, database: string, rounds: number) {
  const run = { name: 'reconciling', database, words: () => [...WORDS, '--full'] };
  return measureBeside(workplace, [{ name: 'idle', database, words: null }, run], { rounds });
}

interface Settled {
  readonly database: string;
  readonly files: { readonly lines: string; readonly records: string };
  readonly imported: Cost;
  readonly lineCount: number;
}

/** A database with the records and the imported lines of a month. */
async function settle(workplace: Workplace, records: number): Promise<Settled> {
  const database = workplace.path('settled.db');
  const files = { lines: workplace.path('lines.csv'), records: workplace.path('records.csv') };
  makeDatabase(database);
  fillPart(database, { first: 1, last: records, ...WHOLE_MONTH }, files);
  writeFileSync(workplace.path('profile.yaml'), PROFILE);
  const imported = importLines(workplace, database, files.lines);
  emptyLog(database);
  console.error(
    `reconcile: imported in ${digits(imported.seconds)} s, ${digits(imported.cpuSeconds)} s of processor time`,
  );
  return { database, files, imported, lineCount: linesIn(files.lines) };
}

function importLines(workplace: Workplace, database: string, file: string): Cost {
  return tallyhook(workplace, database, ['statements', 'import', file, '--profile', 'profile.yaml']);
}

function measure(workplace: Workplace, settled: Settled, size: { records: number; later: number }): Round {
  const database = workplace.path('round.db');
  for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(`${database}${ending}`, { force: true });
  copyFileSync(settled.database, database);
  const shell = shellJoin(settled.files);
  const dryRun = reconcile(workplace, database, '--dry-run');
  const kept = reconcile(workplace, database);
  const again = reconcile(workplace, database);
  const files = { lines: workplace.path('new-lines.csv'), records: workplace.path('new-records.csv') };
  const [first, last] = [size.records + 1, size.records + size.later];
  fillPart(database, { first, last, ...NEXT_DAY }, files);
  importLines(workplace, database, files.lines);
  const newLines = reconcileNext(workplace, database);
  const full = reconcile(workplace, database, '--full');
  return { shell, 'dry run': dryRun, kept, again, 'new lines': newLines, full };
}

function figuresOf(rounds: readonly Round[]) {
  const ofStep = (step: Step) => ({
    step,
    ...medianCost(rounds.map((round) => round[step])),
    ofShell: median(rounds.map((round) => round[step].cpuSeconds / round.shell.cpuSeconds)),
  });
  const steps = STEPS.map(ofStep);
  const ofShell = steps.find(({ step }) => step === 'dry run')?.ofShell ?? Number.NaN;
  return { steps, ofShell, rssBytes: Math.max(...steps.map(({ rssBytes }) => rssBytes)) };
}

function text({ steps }: ReturnType<typeof figuresOf>, lines: number, later: number): string {
  const what: Readonly<Record<Step, string>> = {
    shell: 'sqlite3 shell: import, index, join',
    'dry run': 'reconcile --dry-run',
    kept: 'reconcile, the first time',
    again: 'reconcile, nothing new',
    'new lines': `reconcile, ${whole(later)} lines of the next day`,
    full: 'reconcile --full of the month',
  };
  return table(
    [`${whole(lines)} lines`, 's', 'processor s', 'of the shell', 'max RSS'],
    steps.map(({ step, seconds, cpuSeconds, ofShell, rssBytes }) => [
      what[step],
      digits(seconds, 1),
      digits(cpuSeconds, 1),
      digits(ofShell, 1),
      megabytes(rssBytes),
    ]),
  );
}

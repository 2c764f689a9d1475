import { parseArgs } from 'node:util';
import { machineFacts, machineText } from './machine.ts';
import { median } from './statistics.ts';
import { besideText, measureBeside } from './sweep/beside.ts';
import { measureSweep, type SweepReport, type SweepScale } from './sweep/measure.ts';
import { digits, megabytes, table, whole } from './table.ts';
import { Workplace } from './workplace.ts';

// The figures of the sweep (docs/performance.md): its time compared with the least that the service's delay allows.

export const SWEEP_USAGE = `npm run bench -- sweep [options]
  --records N        due records (100000)
  --concurrency N    status checks at a time (32)
  --service-ms N     delay of the service's response (20)
  --beside           also: how long deliveries take while the receiver's own sweep runs at full speed
  --rounds N         rounds; the median is shown (3)
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON`;

/** Highest ratio of the sweep's time to the ideal time; the aim is 1.05. */
const FLOOR = 1.25;
/** Highest ratio of the deliveries' p99 during a sweep to the p99 without one. */
const DELAYED = 1.5;
/** Highest ratio of the memory at the end to the memory after a tenth of the records. */
const FLAT = 1.25;

export async function benchSweep(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      records: { type: 'string', default: '100000' },
      concurrency: { type: 'string', default: '32' },
      'service-ms': { type: 'string', default: '20' },
      beside: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const scale: SweepScale = {
    records: Number(values.records),
    concurrency: Number(values.concurrency),
    serviceMs: Number(values['service-ms']),
  };
  const workplace = new Workplace(values.folder);
  if (!values.json) console.log(machineText(await machineFacts(workplace.folder)));
  const reports: SweepReport[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    reports.push(await measureSweep(workplace, scale, round));
    console.error(`sweep: round ${round} of ${values.rounds}`);
  }
  const beside = values.beside ? await measureBeside(workplace, Number(values.rounds), scale.serviceMs) : null;
  workplace.close();
  const figures = figuresOf(scale, reports);
  if (values.json) console.log(JSON.stringify({ ...figures, beside }, null, 2));
  else console.log([figuresText(figures), ...(beside === null ? [] : [besideText(beside)])].join('\n\n'));
  const [idle, sweeping] = beside ?? [];
  const delayed = idle && sweeping ? sweeping.p99Ms / idle.p99Ms > DELAYED : false;
  if (figures.ratio > FLOOR || figures.growth > FLAT || delayed) process.exitCode = 1;
}

function figuresOf({ records, concurrency, serviceMs }: SweepScale, reports: readonly SweepReport[]) {
  const idealSeconds = (records * serviceMs) / 1_000 / concurrency;
  const seconds = median(reports.map((report) => report.seconds));
  const early = median(reports.map(({ rssBytes }) => rssBytes[Math.floor(rssBytes.length / 10)] ?? Number.NaN));
  const late = median(reports.map(({ rssBytes }) => rssBytes.at(-1) ?? Number.NaN));
  const realMs = median(reports.map((report) => report.serviceMs));
  return {
    records,
    idealSeconds,
    seconds,
    ratio: seconds / idealSeconds,
    serviceMs: realMs,
    /** The same ratio, with the real delay of the service. */
    realRatio: seconds / ((records * realMs) / 1_000 / concurrency),
    perSecond: records / seconds,
    cpuMicros: median(reports.map(({ cpuMicros }) => cpuMicros / records)),
    earlyRssBytes: early,
    lateRssBytes: late,
    growth: late / early,
  };
}

function figuresText(figures: ReturnType<typeof figuresOf>): string {
  return table(
    [`sweep of ${whole(figures.records)} due records`, 'value'],
    [
      ['ideal s', digits(figures.idealSeconds)],
      ['took s', digits(figures.seconds)],
      ['of ideal', digits(figures.ratio, 3)],
      ['delay of the service, ms', digits(figures.serviceMs)],
      ['of ideal with that delay', digits(figures.realRatio, 3)],
      ['records per second', whole(figures.perSecond)],
      ['CPU µs per record', whole(figures.cpuMicros)],
      ['RSS after a tenth', megabytes(figures.earlyRssBytes)],
      ['RSS at the end', megabytes(figures.lateRssBytes)],
    ],
  );
}

import { channelHealth, STANDARD_SWEEP_SHARE, STANDARD_WINDOW_MS } from '../../src/confirm/health.ts';
import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { formatAmount } from '../../src/domain/money/amount.ts';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import type { EnvironmentStats, Stats } from '../../src/store/archive.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withArchive } from '../context/archive.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { channelJson, printChannels } from '../show/health.ts';
import { bold, print, printFacts, printJson, printTable, printTitle } from '../show/output.ts';
import { byteCount, isoTime, time } from '../show/text.ts';

/** `tallyhook stats`: counts events, records, findings and refusals, and adds up amounts. */
export function addStatsCommand(cli: Cli): Cli {
  return cli.command(
    'stats',
    SUMMARY.stats,
    (command) => command.example('$0 stats --json', 'For a script'),
    async (argv) => {
      const nowMs = systemClock.nowMs();
      const rules = { nowMs, sinceMs: nowMs - STANDARD_WINDOW_MS, sweepShare: STANDARD_SWEEP_SHARE };
      const [stats, channels] = await withArchive(argv, async (archive) => [
        await archive.stats(),
        await channelHealth(archive, rules),
      ]);
      if (argv.json) return printJson({ ...asJson(stats), channels: channels.map(channelJson) });
      printStats(stats);
      if (channels.length === 0) return;
      print();
      printTitle('Channels, by the records of the last 7 days');
      printChannels(channels);
    },
  );
}

function asJson({ firstReceivedAtMs, lastReceivedAtMs, refusals, ...stats }: Stats): object {
  return {
    ...stats,
    environments: Object.fromEntries(
      Object.entries(stats.environments).map(([name, { amounts, ...counts }]) => [
        name,
        { ...counts, amounts: amounts.map((one) => ({ ...one, total: formatAmount(one.total) })) },
      ]),
    ),
    firstReceivedAt: isoTime(firstReceivedAtMs),
    lastReceivedAt: isoTime(lastReceivedAtMs),
    refusals: refusals.map(({ firstAtMs, lastAtMs, ...refusal }) => ({
      ...refusal,
      firstAt: isoTime(firstAtMs),
      lastAt: isoTime(lastAtMs),
    })),
  };
}

function printStats(stats: Stats): void {
  printFacts([
    ['events', stats.events],
    ['deliveries', stats.deliveries],
    ['variants', stats.variants],
    ['waiting in the log', stats.waiting],
    ['pruned', stats.pruned],
    ['first received', time(stats.firstReceivedAtMs)],
    ['last received', time(stats.lastReceivedAtMs)],
    ['database', `${byteCount(stats.databaseBytes)}, write-ahead log ${byteCount(stats.logBytes)}`],
    ['schema', stats.schemaVersion],
  ]);
  printCounts('Events by state', stats.byState);
  printCounts('Events by kind', stats.byKind);
  for (const environment of ENVIRONMENTS) printEnvironment(environment, stats.environments[environment]);
  printCounts('Open findings', stats.openFindings);
  printCounts('Refused', Object.fromEntries(stats.refusals.map((each) => [`${each.path} ${each.reason}`, each.count])));
}

/** Prints the records of an environment by status, and what their amounts add up to. */
function printEnvironment(environment: Environment, { records, amounts }: EnvironmentStats): void {
  const lines = RECORD_KINDS.flatMap((kind) => {
    const { reported, confirmed } = records[kind];
    const statuses = [...new Set([...Object.keys(reported), ...Object.keys(confirmed)])].sort();
    return statuses.map((status) => [kind, status, reported[status] ?? 0, confirmed[status] ?? 0] as const);
  });
  if (lines.length === 0) return;
  print(`\n${bold(`Records in ${environment}`)}`);
  printTable(lines, [
    { header: 'KIND', value: ([kind]) => kind },
    { header: 'STATUS', value: ([, status]) => status },
    { header: 'REPORTED', value: ([, , reported]) => reported, align: 'right' },
    { header: 'CONFIRMED', value: ([, , , confirmed]) => confirmed, align: 'right' },
  ]);
  print();
  printTitle(`Amounts in ${environment}, of the service where it has answered`);
  printTable(amounts, [
    { header: 'KIND', value: ({ kind }) => kind },
    { header: 'STATUS', value: ({ status, by }) => (status === null ? 'none' : `${status}, ${by}`) },
    { header: 'RECORDS', value: ({ records: count }) => count, align: 'right' },
    { header: 'TOTAL', value: ({ total }) => formatAmount(total), align: 'right' },
    { header: 'CURRENCY', value: ({ currency }) => currency },
    { header: 'WITHOUT AMOUNT', value: ({ withoutAmount }) => withoutAmount, align: 'right' },
  ]);
}

function printCounts(title: string, counts: Readonly<Record<string, number>>): void {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  if (present.length === 0) return;
  print(`\n${bold(title)}`);
  printFacts(present);
}

import { channelHealth, STANDARD_SWEEP_SHARE, STANDARD_WINDOW_MS } from '../../src/confirm/health.ts';
import type { Stats } from '../../src/store/archive.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withArchive } from '../context/archive.ts';
import type { Cli } from '../options/options.ts';
import { channelJson, printChannels } from '../show/health.ts';
import { bold, print, printFacts, printJson } from '../show/output.ts';
import { byteCount, isoTime, time } from '../show/text.ts';

/** `tallyhook stats`: counts events, records, findings and refusals. */
export function addStatsCommand(cli: Cli): Cli {
  return cli.command(
    'stats',
    'Count events, records, findings and refusals; sizes on disk; health of the channels',
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
      print(`\n${bold('Channels, by the records of the last 7 days')}`);
      printChannels(channels);
    },
  );
}

function asJson({ firstReceivedAtMs, lastReceivedAtMs, refusals, ...stats }: Stats): object {
  return {
    ...stats,
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
    ['waiting to be applied', stats.unapplied],
    ['pruned', stats.pruned],
    ['first received', time(stats.firstReceivedAtMs)],
    ['last received', time(stats.lastReceivedAtMs)],
    ['database', `${byteCount(stats.databaseBytes)}, log ${byteCount(stats.logBytes)}`],
    ['schema', stats.schemaVersion],
  ]);
  printCounts('Events by state', stats.byState);
  printCounts('Events by kind', stats.byKind);
  for (const [kind, counts] of Object.entries(stats.records)) printCounts(`Reported status of ${kind}s`, counts);
  printCounts('Open findings', stats.openFindings);
  printCounts('Refused', Object.fromEntries(stats.refusals.map((each) => [`${each.path} ${each.reason}`, each.count])));
}

function printCounts(title: string, counts: Readonly<Record<string, number>>): void {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  if (present.length === 0) return;
  print(`\n${bold(title)}`);
  printFacts(present);
}

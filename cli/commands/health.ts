import type { Config } from '../../src/config/load.ts';
import { clusterView } from '../../src/confirm/cluster-problems.ts';
import { STANDARD_SWEEP_SHARE } from '../../src/confirm/health.ts';
import {
  type HealthStretch,
  HISTORY_SPANS,
  type HistoryOrder,
  healthHistory,
} from '../../src/confirm/health-history.ts';
import { look } from '../../src/confirm/look.ts';
import { RECEIVING_PROBLEMS } from '../../src/confirm/problem.ts';
import { ENVIRONMENTS } from '../../src/domain/environment.ts';
import { healthHistoryColumns } from '../../src/lists/health-history.ts';
import { problemText } from '../../src/lists/problem-text.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { withArchiveOf } from '../context/archive.ts';
import { configFrom } from '../context/config.ts';
import { whileReadable } from '../context/readable.ts';
import { SERVE_OPTION } from '../options/filters.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { calendarOf, instantOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { channelJson, printChannels } from '../show/health.ts';
import { printList, wholeList } from '../show/list.ts';
import { terminalColumns } from '../show/list-columns.ts';
import { differencesFound, note, printJson } from '../show/output.ts';
import { problemJson } from '../show/problem.ts';
import { isoTime } from '../show/text.ts';

/** `tallyhook health`: reports whether webhooks arrive, in time, and are accepted. Exit code 3 when there is a problem. */
export function addHealthCommand(cli: Cli): Cli {
  return cli.command(
    'health',
    SUMMARY.health,
    (command) =>
      command
        .option('since', {
          type: 'string',
          requiresArg: true,
          default: '7d',
          describe: 'Records first seen since: date or time in timeZone, or 24h, 7d ago',
        })
        .option('environment', { choices: ENVIRONMENTS, describe: 'Only this environment' })
        .option(
          'sweep-share',
          wholeNumberOption('sweep-share', {
            least: 0,
            most: 100,
            standard: STANDARD_SWEEP_SHARE * 100,
            describe: 'Per cent of records that a sweep may settle before a webhook',
          }),
        )
        .options(SERVE_OPTION)
        .option('history', {
          choices: HISTORY_SPANS,
          describe: 'What the samples of the health job tell of this span, instead',
        })
        .example('$0 health --environment live --since 24h', 'The last day of the live environment')
        .example('$0 health --history month', 'A month: acknowledgements, refusals, sweep share, disk'),
    async (argv) => {
      const { environment } = argv;
      const config = await configFrom(argv);
      const calendar = calendarOf(config);
      const { nowMs, zone } = calendar;
      if (argv.history !== undefined) return printHistory(config, { span: argv.history, nowMs, zone }, argv);
      const rules = { sinceMs: instantOf(argv.since, 'since', calendar), sweepShare: argv.sweepShare / 100 };
      const { serveReport } = await import('../context/serve-answer.ts');
      const serve = await serveReport(config);
      const cluster = await clusterView(storeOf(config).cluster);
      const seen = await whileReadable(() =>
        withArchiveOf(config, (archive) =>
          look(archive, { nowMs, config, environment, expectServe: argv.serve, serve, cluster, ...rules }),
        ),
      );
      const problems = seen.problems.filter(({ code }) => RECEIVING_PROBLEMS.includes(code));
      if (argv.json) {
        printJson({
          asOf: isoTime(nowMs),
          since: isoTime(rules.sinceMs),
          sweepShareAllowed: rules.sweepShare,
          problems: problems.map((problem) => problemJson(problem, { zone })),
          channels: seen.channels.map(channelJson),
        });
      } else {
        printChannels(seen.channels);
        for (const problem of problems) {
          const { text, next } = problemText(problem, { zone });
          note(`${text}.\n  ${next}`);
        }
      }
      if (problems.length > 0) differencesFound();
    },
  );
}

async function printHistory(
  config: Config,
  order: HistoryOrder,
  { json }: { readonly json: boolean | undefined },
): Promise<void> {
  const history = await withArchiveOf(config, (archive) => healthHistory(archive, order));
  const known = history.filter(({ databaseBytes }) => databaseBytes !== null);
  await printList(
    wholeList(known),
    { json },
    {
      json: stretchJson,
      columns: terminalColumns(healthHistoryColumns()),
      empty: `There is no sample of the last ${order.span}. Keep one: tallyhook schedule run health`,
    },
  );
}

/** A bound that was passed is `null` beside its count. */
function stretchJson({ fromMs, p50Ms, p95Ms, p99Ms, ...stretch }: HealthStretch) {
  const within = (ms: number | null) => (ms === null || Number.isFinite(ms) ? ms : null);
  return { from: isoTime(fromMs), ...stretch, p50Ms: within(p50Ms), p95Ms: within(p95Ms), p99Ms: within(p99Ms) };
}

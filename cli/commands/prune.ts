import type { Config } from '../../src/config/load.ts';
import {
  bookParts,
  type PruneAges,
  type PruneResult,
  prune,
  pruneAges,
  REWRITE_UNASKED_BYTES,
  type Surveyed,
  survey,
} from '../../src/jobs/prune.ts';
import type { PrunedBooks } from '../../src/jobs/prune-books.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import type { Prunable } from '../../src/store/pruning.ts';
import { systemClock } from '../../src/time/clock.ts';
import { configFrom } from '../context/config.ts';
import { credential } from '../context/operations.ts';
import { stopSignal } from '../context/stop-signal.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { PERSON_OPTIONS, starterOf } from '../options/person.ts';
import { optionalLengthOption } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { answeredNo, note, print, printJson } from '../show/output.ts';
import { progressBar } from '../show/progress.ts';
import { byteCount, duration, isoTime, time } from '../show/text.ts';

/** `tallyhook prune`: removes bodies and personal data of records settled long ago; keys and digests stay. */
export function addPruneCommand(cli: Cli): Cli {
  return cli.command(
    'prune',
    SUMMARY.prune,
    (command) =>
      command
        .option('older', optionalLengthOption('older', 'Not changed for this long [prune.afterDays]'))
        .option(
          'texts-older',
          optionalLengthOption(
            'texts-older',
            'Erase texts and comments of closed periods that ended this long ago [prune.textsAfterDays]',
          ),
        )
        .option(
          'reports-older',
          optionalLengthOption(
            'reports-older',
            'Erase frozen reports of closed periods that ended this long ago [prune.reportsAfterDays]',
          ),
        )
        .option('dry-run', { type: 'boolean', default: false, describe: 'Count what would be pruned; change nothing' })
        .option('rewrite', {
          type: 'boolean',
          describe:
            'Afterwards write the file anew, so that no copy is left in its unused space. Standard: up to 128 MiB; ' +
            'needs twice its size in free space, and other writes wait for it; deliveries do not',
        })
        .option('as', PERSON_OPTIONS.as)
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; only a backup can bring the data back' })
        .example('$0 prune --older 400d --dry-run', 'Count only')
        .example('$0 prune --yes', 'Older than prune.afterDays; safe beside a running serve')
        .epilogue('Only settled records without further checks, expectation or open finding. See docs/operations.md.'),
    async (argv) => {
      const by = starterOf(argv);
      const config = await configFrom(argv);
      const ages = agesOf(argv, pruneAges(config, systemClock.nowMs()));
      const store = storeOf(config);
      const operations = await store.operations({ credential: credential() });
      const stop = stopSignal('pruning ends after the current step; the next run does the rest');
      const mostBytes = argv.rewrite === true ? Number.MAX_SAFE_INTEGER : REWRITE_UNASKED_BYTES;
      const rewrite =
        argv.rewrite === false ? null : (signal: AbortSignal) => store.upkeep.rewrite({ mostBytes }, signal);
      const parts = {
        ...{ pruning: operations.pruning, rewrite, clock: systemClock, signal: stop.signal },
        ...bookParts(config, store.archive),
      };
      try {
        const found = await survey(ages, parts);
        if (argv.dryRun || !argv.yes) {
          showFound(found, ages, argv.json);
          if (found.stopped) answeredNo();
          else if (!argv.dryRun) throw new UsageError('Nothing was pruned.', 'To do it, run it again with --yes.');
          return;
        }
        const progress = progressBar(found.events + found.variants, 'bodies');
        const step = ({ events, variants }: Prunable) => progress.step(events + variants);
        const result = await prune({ ...ages, by }, parts, step).finally(progress.end);
        showResult(result, ages, argv.json);
        if (config.cluster.url !== null) note(stillInLog(config.cluster));
        if (result.stopped) answeredNo();
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}

/** An option wins over the setting. */
function agesOf(
  argv: { older: number | undefined; textsOlder: number | undefined; reportsOlder: number | undefined },
  set: PruneAges,
): PruneAges {
  const nowMs = systemClock.nowMs();
  const ago = (lengthMs: number | undefined, other: number | null) =>
    lengthMs === undefined ? other : nowMs - lengthMs;
  const ages = {
    beforeMs: ago(argv.older, set.beforeMs),
    textsBeforeMs: ago(argv.textsOlder, set.textsBeforeMs),
    reportsBeforeMs: ago(argv.reportsOlder, set.reportsBeforeMs),
  };
  if (Object.values(ages).some((age) => age !== null)) return ages;
  throw new UsageError('How old must it be?', 'Give --older 400d, or set prune.afterDays in the configuration.');
}

/** Where the log of several machines has what was pruned. */
function stillInLog({ keepDays }: Config['cluster']): string {
  return (
    'PostgreSQL has it in its snapshots until two newer ones are in, one a day; ' +
    `and in the log, where it arrived within ${keepDays} days (cluster.keepDays)`
  );
}

/** The times as JSON names them. */
function agesJson({ beforeMs, textsBeforeMs, reportsBeforeMs }: PruneAges) {
  const iso = (ms: number | null) => (ms === null ? null : isoTime(ms));
  return { before: iso(beforeMs), textsBefore: iso(textsBeforeMs), reportsBefore: iso(reportsBeforeMs) };
}

function showFound(found: Surveyed, ages: PruneAges, json: boolean | undefined): void {
  if (json) {
    printJson({ pruned: false, ...agesJson(ages), ...found });
    return;
  }
  const { beforeMs } = ages;
  if (beforeMs !== null) print(`${amountText(found)} would be pruned, of what has not changed since ${time(beforeMs)}`);
  for (const line of bookLines(found, ages)) print(`${line} would be erased`);
  if (found.stopped) note('tallyhook: counting was cut short; there is more');
}

/** What goes of closed periods. */
function bookLines(
  { lines, comments, reports }: PrunedBooks,
  { textsBeforeMs, reportsBeforeMs }: PruneAges,
): readonly string[] {
  const ended = (ms: number) => `of closed periods that ended before ${time(ms)}`;
  return [
    ...(textsBeforeMs === null
      ? []
      : [`The texts of ${counted(lines, 'line')} and ${counted(comments, 'comment')} ${ended(textsBeforeMs)}`]),
    ...(reportsBeforeMs === null ? [] : [`${counted(reports, 'frozen report')} ${ended(reportsBeforeMs)}`]),
  ];
}

function showResult(result: PruneResult, ages: PruneAges, json: boolean | undefined): void {
  if (json) {
    printJson({ pruned: true, ...agesJson(ages), ...result });
    return;
  }
  const { addresses, refusals, databaseBytes, freeBytes, rewritten, tookMs, stopped } = result;
  const { beforeMs } = ages;
  if (beforeMs !== null)
    print(`${amountText(result)} pruned in ${duration(tookMs)}, of what had not changed since ${time(beforeMs)}`);
  for (const line of bookLines(result, ages)) print(`${line} erased`);
  if (result.files > 0) print(`${counted(result.files, 'file')} of reports deleted`);
  if (addresses > 0) print(`${addresses} ${addresses === 1 ? 'address' : 'addresses'} of refused requests removed`);
  if (refusals > 0)
    print(`The message of ${refusals === 1 ? 'one refusal' : `${refusals} refusals`} of the service removed`);
  if (rewritten) print(`The file was written anew: ${byteCount(databaseBytes)}, without a copy of what was pruned`);
  else {
    const free = `of which ${byteCount(freeBytes)} are free pages; a backup has none`;
    print(`The file stays at ${byteCount(databaseBytes)}, ${free}`);
    note('Copies of what was pruned may be left in its unused space. To remove them: tallyhook prune --yes --rewrite');
  }
  if (stopped) note('tallyhook: pruning was cut short by a signal; run it again for the rest');
}

function amountText({ records, events, variants, bytes }: Prunable): string {
  const bodies = events + variants;
  return `${bodies} ${bodies === 1 ? 'body' : 'bodies'} (${byteCount(bytes)}) and the personal data of ${counted(records, 'record')}`;
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

import { storeOf } from '../../src/confirm/store.ts';
import { type PruneResult, prune, REWRITE_UNASKED_BYTES, type Surveyed, survey } from '../../src/jobs/prune.ts';
import type { Prunable } from '../../src/store/pruning.ts';
import { DAY_MS, systemClock } from '../../src/time/clock.ts';
import { sleep } from '../../src/time/sleep.ts';
import { configFrom } from '../context/config.ts';
import { stopSignal } from '../context/stop-signal.ts';
import { type Cli, UsageError } from '../options/options.ts';
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
        .option('dry-run', { type: 'boolean', default: false, describe: 'Count what would be pruned; change nothing' })
        .option('rewrite', {
          type: 'boolean',
          describe:
            'Afterwards write the file anew, so that no copy is left in its unused space. Standard: up to 128 MiB; ' +
            'needs twice its size in free space, and deliveries wait, with 503 after 5 s',
        })
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; only a backup can bring the data back' })
        .example('$0 prune --older 400d --dry-run', 'Count only')
        .example('$0 prune --yes', 'Older than prune.afterDays; safe beside a running serve')
        .epilogue('Only settled records without further checks, expectation or open finding. See docs/operations.md.'),
    async (argv) => {
      const config = await configFrom(argv);
      const beforeMs = systemClock.nowMs() - ageOf(argv.older, config.prune.afterDays);
      const store = storeOf(config);
      const operations = await store.operations();
      const stop = stopSignal('pruning ends after the current step; the next run does the rest');
      const mostBytes = argv.rewrite === true ? Number.MAX_SAFE_INTEGER : REWRITE_UNASKED_BYTES;
      const rewrite =
        argv.rewrite === false ? null : (signal: AbortSignal) => store.upkeep.rewrite({ mostBytes }, signal);
      const parts = { pruning: operations.pruning, rewrite, clock: systemClock, signal: stop.signal, sleep };
      try {
        const found = await survey({ beforeMs }, parts);
        if (argv.dryRun || !argv.yes) {
          showFound(found, beforeMs, argv.json);
          if (found.stopped) answeredNo();
          else if (!argv.dryRun) throw new UsageError('Nothing was pruned.', 'To do it, run it again with --yes.');
          return;
        }
        const progress = progressBar(found.events + found.variants, 'bodies');
        const step = ({ events, variants }: Prunable) => progress.step(events + variants);
        const result = await prune({ beforeMs }, parts, step).finally(progress.end);
        showResult(result, beforeMs, argv.json);
        if (result.stopped) answeredNo();
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}

function ageOf(olderMs: number | undefined, afterDays: number | null): number {
  if (olderMs !== undefined) return olderMs;
  if (afterDays !== null) return afterDays * DAY_MS;
  throw new UsageError('How old must it be?', 'Give --older 400d, or set prune.afterDays in the configuration.');
}

function showFound(found: Surveyed, beforeMs: number, json: boolean | undefined): void {
  if (json) {
    printJson({ pruned: false, before: isoTime(beforeMs), ...found });
    return;
  }
  print(`${amountText(found)} would be pruned, of what has not changed since ${time(beforeMs)}`);
  if (found.stopped) note('tallyhook: counting was cut short; there is more');
}

function showResult(result: PruneResult, beforeMs: number, json: boolean | undefined): void {
  if (json) {
    printJson({ pruned: true, before: isoTime(beforeMs), ...result });
    return;
  }
  const { addresses, refusals, databaseBytes, freeBytes, rewritten, tookMs, stopped } = result;
  print(`${amountText(result)} pruned in ${duration(tookMs)}, of what had not changed since ${time(beforeMs)}`);
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
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const bodies = events + variants;
  return `${bodies} ${bodies === 1 ? 'body' : 'bodies'} (${byteCount(bytes)}) and the personal data of ${count(records, 'record')}`;
}

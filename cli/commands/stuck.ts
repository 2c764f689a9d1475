import { STUCK_ADVICE, stuckReason } from '../../src/confirm/stuck.ts';
import { ENVIRONMENTS } from '../../src/domain/environment.ts';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import { countedAmount } from '../../src/domain/records/witness-money.ts';
import { outcomeText, STUCK_WORDS, stuckColumns, unconfirmedText } from '../../src/lists/stuck.ts';
import type { StuckFilter, StuckRecord } from '../../src/store/stuck.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withArchive } from '../context/archive.ts';
import { PAGE_OPTIONS, REVEAL_OPTION } from '../options/filters.ts';
import { FORMAT_OPTION, refuseTwoFormats } from '../options/format.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { lengthOption } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { checkJson } from '../show/check.ts';
import { amountCell, type CsvColumns, csvForm, timeCell } from '../show/csv.ts';
import { printList, wholeList } from '../show/list.ts';
import { terminalColumns } from '../show/list-columns.ts';
import { differencesFound, note, print } from '../show/output.ts';
import { recordJson } from '../show/record.ts';
import { isoTime } from '../show/text.ts';

/** `tallyhook stuck`: lists records that are not settled in time. Exit code 3 when there are any. */
export function addStuckCommand(cli: Cli): Cli {
  return cli.command(
    'stuck',
    SUMMARY.stuck,
    (command) =>
      command
        .option('older', lengthOption('older', { standard: '24h', describe: 'First seen longer ago than this' }))
        .option('environment', { choices: ENVIRONMENTS, describe: 'Only this environment' })
        .option('kind', { choices: RECORD_KINDS, describe: 'Only records of this kind' })
        .options({
          limit: PAGE_OPTIONS.limit,
          all: PAGE_OPTIONS.all,
          after: PAGE_OPTIONS.after,
          ...REVEAL_OPTION,
          ...FORMAT_OPTION,
        })
        .example('$0 stuck --older 3d --kind refund', 'Refunds not settled after three days'),
    async (argv) => {
      refuseTwoFormats(argv);
      const { environment, kind, older, limit, after: afterId } = argv;
      if (afterId !== undefined && kind === undefined) {
        throw new UsageError('--after needs --kind: an id belongs to one kind.');
      }
      const nowMs = systemClock.nowMs();
      const filter: StuckFilter = {
        firstSeenBeforeMs: nowMs - older,
        ...(environment !== undefined && { environment }),
        ...(kind !== undefined && { kind }),
      };
      const most = argv.all ? Number.MAX_SAFE_INTEGER - 1 : limit;
      const page = { limit: most + 1, ...(afterId !== undefined && { afterId }) };
      const [found, unconfirmed, total] = await withArchive(argv, async (archive) => {
        const records = await archive.stuck(filter, page);
        const whole = records.length <= most && afterId === undefined;
        return [records, await archive.unconfirmed(filter), whole ? records.length : await archive.countStuck(filter)];
      });
      const stuck = found.slice(0, most);
      await printList(wholeList(stuck, { more: found.length > most, total }), argv, {
        keyOf: ({ kind: of, environment: at, reference }) => `${of}:${at}/${reference}`,
        json: (record) => ({
          ...recordJson(record, argv),
          because: stuckReason(record),
          check: checkJson(record.check),
        }),
        besides: () => ({ firstSeenBefore: isoTime(filter.firstSeenBeforeMs), unconfirmed }),
        columns: terminalColumns(stuckColumns(nowMs)),
        csv: csvForm(CSV_COLUMNS),
        empty: 'Nothing is stuck.',
      });
      if (!argv.json) {
        const say = argv.format === 'csv' ? note : print;
        for (const group of unconfirmed) say(unconfirmedText(group));
        for (const reason of new Set(stuck.map(stuckReason))) note(`${STUCK_WORDS[reason]}: ${STUCK_ADVICE[reason]}`);
      }
      if (stuck.length > 0) differencesFound();
    },
  );
}

const CSV_COLUMNS: CsvColumns<StuckRecord> = {
  id: ({ id }) => String(id),
  environment: ({ environment }) => environment,
  kind: ({ kind }) => kind,
  reference: ({ reference }) => reference,
  reported: ({ reported }) => reported,
  confirmed: ({ confirmed }) => confirmed,
  amount: (record) => amountCell(countedAmount(record).amount),
  currency: (record) => countedAmount(record).currency,
  because: (record) => stuckReason(record),
  last_outcome: ({ check }) => check && outcomeText(check),
  first_seen_at: ({ firstSeenAtMs }) => timeCell(firstSeenAtMs),
  next_check_at: ({ dueAtMs }) => timeCell(dueAtMs),
};

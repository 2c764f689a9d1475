import { expectWithin } from '../../../src/access/replaying.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { RETRY_REFUSAL_WORDS } from '../../../src/lists/outbox.ts';
import { type AskedOrder, MOST_ASKED_ROWS } from '../../../src/store/approvals.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { Changed, Outbox, OutboxFilter } from '../../../src/store/outbox.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { orAsk } from '../../context/asking.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { OUTBOX_FILTERS, type OutboxArguments, outboxFilter } from '../../options/outbox-filters.ts';
import { PERSON_OPTIONS, personOf, REASON_OPTION } from '../../options/person.ts';
import { requireTarget } from '../../options/targets.ts';
import { calendarOf } from '../../options/when.ts';
import { noteObstacles } from '../../show/outbox.ts';
import { print, printJson } from '../../show/output.ts';
import { noRow } from './show.ts';

/** `tallyhook outbox retry`: makes rows due now. */
export function addOutboxRetryCommand(cli: Cli): Cli {
  return addChange(cli, {
    name: 'retry',
    summary: 'Try rows again at once, dead letters too; ends a rest or hold of their targets',
    example: '--target shop --state dead --yes',
    done: 'due now',
  });
}

/** `tallyhook outbox drop`: gives rows up. */
export function addOutboxDropCommand(cli: Cli): Cli {
  return addChange(cli, {
    name: 'drop',
    summary: 'Give rows up; what comes later says that they are missing',
    example: '--state orphaned --yes',
    done: 'dropped',
  });
}

interface Change {
  readonly name: 'retry' | 'drop';
  readonly summary: string;
  readonly example: string;
  /** What the rows are afterwards. */
  readonly done: string;
}

interface ChangeArguments extends OutboxArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly ids: readonly string[];
  readonly yes: boolean;
  readonly dryRun: boolean;
}

function addChange(cli: Cli, change: Change): Cli {
  const { name, summary, example } = change;
  return cli.command(
    `${name} [ids..]`,
    summary,
    (command) =>
      command
        .positional('ids', { type: 'string', array: true, default: [] as string[], describe: 'Webhook-ids: msg_…' })
        .options(OUTBOX_FILTERS)
        .option('yes', { type: 'boolean', default: false, describe: 'Do it to more than one row, or by a filter' })
        .option('dry-run', { type: 'boolean', default: false, describe: 'Count the rows; change nothing' })
        .option('as', PERSON_OPTIONS.as)
        .options(name === 'drop' ? REASON_OPTION : {})
        .example(`$0 outbox ${name} msg_0123456789abcdef0123456789abcdef`, 'One row')
        .example(`$0 outbox ${name} ${example}`, 'All that match'),
    async (argv) => {
      const by = personOf(argv);
      const config = await configFrom(argv);
      const filter = outboxFilter(argv, calendarOf(config));
      requireChoice(argv, filter, name);
      if (filter.target !== undefined)
        await withArchiveOf(config, (archive) => requireTarget(filter.target, config, archive));
      const operations = await operationsOf(config);
      const { dropRows } = await withArchiveOf(config, (archive) => archive.approvalRules());
      try {
        const ask = { json: argv.json, reason: (argv as { reason?: string }).reason };
        const done = await orAsk(() => carryOut(operations.outbox, filter, { ...argv, by, dropRows }, name), ask, {
          ...{ by, ...operations },
          asked: () => withArchiveOf(config, (archive) => rowsToDrop(archive, filter, argv.ids)),
        });
        if (done === null) return;
        const { matched, changed, skipped } = done;
        const { dryRun } = argv;
        if (argv.json) printJson({ matched, changed, skipped, dryRun });
        else
          print(
            `${changed} of ${matched} ${matched === 1 ? 'row' : 'rows'} ${dryRun ? 'would be' : changed === 1 ? 'is' : 'are'} ${change.done}`,
          );
      } finally {
        await operations.close();
      }
      if (name === 'retry') await withArchiveOf(config, (archive) => noteDisabled(archive, filter.target));
    },
  );
}

/** A retry does not enable a target: its rows are due, and do not leave. */
async function noteDisabled(archive: Archive, chosen: string | undefined): Promise<void> {
  const targets = await archive.targets();
  noteObstacles(
    targets.filter((target) => target.disabledAtMs !== null && (chosen ?? target.name) === target.name),
    [],
    systemClock.nowMs(),
  );
}

function requireChoice({ ids, yes, dryRun }: ChangeArguments, filter: OutboxFilter, name: string): void {
  const isFiltered = Object.keys(filter).length > 0;
  if (ids.length === 0 && !isFiltered)
    throw new UsageError(`Which rows? outbox ${name} takes ids or a filter.`, 'List them: tallyhook outbox list');
  if (ids.length > 0 && isFiltered) throw new UsageError('Give ids or filters, not both.');
  if ((ids.length > 1 || isFiltered) && !yes && !dryRun)
    throw new UsageError(
      `Nothing was done: outbox ${name} of more than one row, or by a filter, needs --yes.`,
      'Count the rows first: --dry-run',
    );
}

/** The rows that a request names. What cannot be dropped is left out by the store. */
async function rowsToDrop(archive: Archive, filter: OutboxFilter, ids: readonly string[]): Promise<AskedOrder> {
  const found = ids.length > 0 ? [] : await archive.outbox(filter, { limit: MOST_ASKED_ROWS + 1, order: 'oldest' });
  return { act: 'outbox.drop', order: { webhookIds: ids.length > 0 ? ids : found.map(({ webhookId }) => webhookId) } };
}

/** Named rows all or none; those of a filter batch by batch. */
async function carryOut(
  outbox: Outbox,
  filter: OutboxFilter,
  argv: ChangeArguments & { readonly by: string; readonly dropRows: number | null },
  name: Change['name'],
): Promise<Pick<Changed, 'matched' | 'changed' | 'skipped'>> {
  const { ids, dryRun, by, dropRows } = argv;
  if (ids.length > 0) {
    const rows = { webhookIds: [...new Set(ids)] };
    const planned = await outbox[name]({ rows, dryRun: true, by });
    for (const { webhookId, reason } of planned.refusals) throw refusal(webhookId, reason, name);
    return dryRun ? planned : outbox[name]({ rows, dryRun, by });
  }
  if (name === 'drop' && !dryRun) {
    const planned = await carryOut(outbox, filter, { ...argv, dryRun: true }, name);
    expectWithin('outbox.drop', planned.changed, dropRows);
  }
  const total = { matched: 0, changed: 0, skipped: 0 };
  for (let afterId: number | null = 0; afterId !== null; ) {
    const part: Changed = await outbox[name]({ rows: { filter, afterId }, dryRun, by });
    total.matched += part.matched;
    total.changed += part.changed;
    total.skipped += part.skipped;
    afterId = part.next;
  }
  return total;
}

function refusal(id: string, reason: Changed['refusals'][number]['reason'], name: string): TallyhookError {
  if (reason === 'unknown') return noRow(id);
  const hint = name === 'retry' ? REPLAY_HINT : `See: tallyhook outbox show ${id}`;
  return new TallyhookError(`Row ${id} was not changed: ${RETRY_REFUSAL_WORDS[reason]}.`, { kind: 'failed', hint });
}

const REPLAY_HINT =
  'To hand the news on again, under a new id: tallyhook events replay --reference REF --target TARGET';

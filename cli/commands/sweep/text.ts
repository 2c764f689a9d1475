import type { SweepResult, SweepStop } from '../../../src/confirm/sweep-result.ts';
import { OUTCOME_TEXT, type Outcome } from '../../../src/domain/checks/check.ts';
import type { DueRecord } from '../../../src/store/checks.ts';
import { type ListArguments, printList, wholeList } from '../../show/list.ts';
import { note, print } from '../../show/output.ts';
import { duration, isoTime, timeHeader, timeInColumn } from '../../show/text.ts';

/** The number of due records, and the first of them. */
export interface Due {
  readonly total: number;
  readonly records: readonly DueRecord[];
}

export async function printDue({ total, records }: Due, argv: ListArguments): Promise<void> {
  if (!argv.json && total > 0) print(`${total} due`);
  await printList(wholeList(records, { more: records.length < total, total }), argv, {
    json: ({ recordId, dueAtMs, ...row }) => ({ ...row, id: recordId, dueAt: isoTime(dueAtMs) }),
    columns: [
      { ...timeHeader('DUE'), value: ({ dueAtMs }) => timeInColumn(dueAtMs) },
      { header: 'ENV', value: ({ environment }) => environment, leaveOut: 1 },
      { header: 'RECORD', value: ({ kind, reference }) => `${kind} ${reference}` },
      { header: 'REPORTED', value: ({ reported }) => reported },
      { header: 'CONFIRMED', value: ({ confirmed }) => confirmed },
    ],
    empty: 'Nothing is due.',
    further: `--limit ${total}`,
  });
}

/** The remark of a sweep that rests; none while it goes on. */
export function resting(restMs: number | null): string {
  return restMs === null ? '' : `resting: the service does not answer (${Math.ceil(restMs / 1_000)} s)`;
}

const STOPPED: Readonly<Record<SweepStop, string>> = {
  interrupted: 'cut short by a signal',
  service_unavailable:
    'given up, because the service does not respond or requires a pause; run it again later, or leave it to the schedule',
  key_refused: 'ended, because the service refused the key',
};

/** Also for a sweep that went on with the key of the other environment. */
const KEY_REFUSED =
  'tallyhook: the service answered 401 or 403: the secret key was changed or revoked there. Put the current one under keys,\n' +
  'reload serve (SIGHUP), then see whether the service accepts it: tallyhook doctor';

export function printSweep(result: SweepResult): void {
  const { checked, confirmed, changed, settled, repaired, disagreed, stuck, late, failed, overdue } = result;
  const { stillDue, withoutKey, stopped } = result;
  print(
    `checked ${checked} in ${duration(result.tookMs)}: ${confirmed} confirmed, ${changed} changed, ${settled} settled`,
  );
  if (repaired > 0)
    print(`${repaired} had settled without ${repaired === 1 ? 'its' : 'their'} webhook reaching us; now recorded`);
  if (disagreed > 0) print(`${disagreed} behind or beside the webhooks; see: tallyhook findings`);
  if (stuck > 0) print(`${stuck} stuck: no further check is scheduled; see: tallyhook stuck`);
  for (const [outcome, count] of Object.entries(failed))
    print(`${count} not confirmed: ${OUTCOME_TEXT[outcome as Outcome]}`);
  if (overdue > 0) print(`${overdue} tracked, past their date without any observation; see: tallyhook track list`);
  if (late > 0) print(`${late} answered after the lease had ended: not written, checked again`);
  print(`${stillDue} still due`);
  if (withoutKey > 0)
    print(
      `${withoutKey} due and not checked: ${withoutKey === 1 ? 'its' : 'their'} environment has no key; see: tallyhook doctor`,
    );
  if (stopped !== null) note(`tallyhook: the sweep was ${STOPPED[stopped]}`);
  if ((failed.key_refused ?? 0) > 0) note(KEY_REFUSED);
}

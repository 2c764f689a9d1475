import { TallyhookError } from '../../../domain/error.ts';
import type { PeriodState } from '../../../domain/periods/period.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { actOnPeriod, closePeriod } from '../../../reconcile/closing/close.ts';
import type { PeriodOrder } from '../../../reconcile/closing/facts.ts';
import { journalSettings } from '../../../reconcile/closing/order.ts';
import { followRuns } from '../../../reconcile/exceptions/follow.ts';
import { reconcileAskedDays } from '../../../reconcile/keep/asked-days.ts';
import { configuredOrder } from '../../../reconcile/keep/configured-order.ts';
import { toConfirm } from '../../../reconcile/reconcile.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { Closing } from '../../../store/periods.ts';
import { textIn } from '../asked.ts';
import { foldBlock, postForm } from '../blocks.ts';
import { actForm } from '../forms.ts';
import type { Block, Button, Field } from '../page.ts';
import type { Context, Route } from '../route.ts';
import { periodAddress } from './periods.ts';

// What persons do to a period: its forms, and the acts behind them. Each answers what it did, in a sentence.

interface Standing {
  readonly state: PeriodState;
  /** Nothing is open. */
  readonly ready: boolean;
  /** The last closing. */
  readonly last: Closing | undefined;
}

/** The forms of what this person may do to a period that stands so. */
export function actForms({ may, visitor }: Context, order: PeriodOrder, { state, ready, last }: Standing): Block[] {
  const at = periodAddress({ set: order.set.name, period: order.period.name });
  const form = (act: string, button: Button, fields?: readonly Field[]): Block =>
    actForm(act, `${at}/${act}`, button, fields);
  const seen: Field[] = last === undefined ? [] : [{ type: 'hidden', name: 'digest', value: last.digest }];
  const isOwn = last !== undefined && samePerson(last.preparer, visitor.name);
  const forms: Block[] = [];
  if (state === 'open') {
    if (may('period.close') && ready) forms.push(form('close', { label: 'Close it' }));
    if (may('rules.use'))
      forms.push(form('reconcile', { label: 'Reconcile these days now', as: ready ? 'plain' : 'main' }));
  }
  if (state === 'closed' && may('period.approve') && !isOwn) forms.push(form('approve', { label: 'Approve it' }, seen));
  if (state === 'approved' && may('period.lock'))
    forms.push(
      form('lock', { label: 'Lock it for ever', as: 'danger', confirm: 'Locked is for ever. Lock this period?' }, seen),
    );
  if ((state === 'closed' || state === 'approved') && may('period.reopen')) forms.push(reopening(at));
  return forms;
}

function reopening(at: string): Block {
  return foldBlock('Open it again', [
    postForm('reopen', `${at}/reopen`, {
      fields: [{ type: 'textarea', name: 'reason', label: 'Why', required: true, maxLength: 1_000 }],
      buttons: [{ label: 'Open it again', as: 'danger' }],
      note: 'What was frozen stays. Its rows count again, and the next close says what differs.',
    }),
  ]);
}

async function reconcileNow({ archive, operations, config, nowMs, visitor }: Context, order: PeriodOrder) {
  const { set, period, dayRule } = order;
  const days = { environment: set.environment, from: period.from, to: period.to, dayRule };
  const { result } = await reconcileAskedDays(
    archive,
    await configuredOrder(config, { ...days, asAtMs: nowMs, isNow: true }),
    {
      open: async () => ({ ...operations, close: async () => {} }),
      isFull: false,
      by: visitor.name,
    },
  );
  return `Reconciled: ${countOf(result.breaks.length, 'break')}, ${result.timing.length} not due yet, ${toConfirm(result).length} to confirm.`;
}

async function close({ archive, operations, config, nowMs, visitor }: Context, order: PeriodOrder) {
  await followRuns(operations.exceptions);
  const parts = { by: visitor.name, nowMs, journal: journalSettings(config) };
  await closePeriod({ ...order, ...parts }, { archive, periods: operations.periods });
  return `Period ${order.period.name} is closed. Another person approves it.`;
}

/** Signs the closing that the page of the form showed; a form without its digest signs none. */
function signing(act: 'approve' | 'lock', done: string) {
  return async ({ operations, visitor, form }: Context, { set, period: { name: period, from, to } }: PeriodOrder) => {
    const order = { set: set.name, period, from, to, by: visitor.name, digest: textIn(form, 'digest') ?? '' };
    await actOnPeriod(order, operations.periods[act]);
    return `Period ${period} is ${done}.`;
  };
}

async function reopen(
  { operations, visitor, form }: Context,
  { set, period: { name: period, from, to } }: PeriodOrder,
) {
  const reason = textIn(form, 'reason');
  if (reason === undefined) throw new TallyhookError('Say why the period is opened again.', { kind: 'usage' });
  await actOnPeriod({ set: set.name, period, from, to, by: visitor.name, reason }, operations.periods.reopen);
  return `Period ${period} is open again.`;
}

/** An act on a period, which says what it did. */
export interface PeriodAct {
  readonly name: string;
  readonly act: Route['act'];
  readonly weight: Route['weight'];
  readonly carryOut: (context: Context, order: PeriodOrder) => Promise<string>;
}

export const PERIOD_ACTS: readonly PeriodAct[] = [
  { name: 'reconcile', act: 'rules.use', weight: 'aside', carryOut: reconcileNow },
  { name: 'close', act: 'period.close', weight: 'aside', carryOut: close },
  { name: 'approve', act: 'period.approve', weight: 'light', carryOut: signing('approve', 'approved') },
  { name: 'lock', act: 'period.lock', weight: 'light', carryOut: signing('lock', 'locked') },
  { name: 'reopen', act: 'period.reopen', weight: 'light', carryOut: reopen },
];

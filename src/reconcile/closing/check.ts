import type { PeriodState } from '../../domain/periods/period.ts';
import type { Archive } from '../../store/archive.ts';
import type { Report } from '../report/model.ts';
import { monthReport } from '../report/month.ts';
import type { CheckItem } from './check-items.ts';
import { exceptionItems } from './exception-items.ts';
import { type CheckFacts, checkFacts, type PeriodOrder } from './facts.ts';
import { figureItems } from './figure-items.ts';
import { ordinaryItems } from './ordinary-items.ts';

/** What a person works through before a period is closed. */
export interface PeriodCheck {
  readonly order: PeriodOrder;
  readonly state: PeriodState;
  /** Nothing is open. */
  readonly ready: boolean;
  readonly items: readonly CheckItem[];
  readonly facts: CheckFacts;
}

/**
 * Judges whether a period can be closed, by the last run of exactly its days. Reads what is kept, and computes nothing anew. `most`:
 * records that changed since the run to look at; beyond it the days have to be reconciled again. Missing: all of them.
 */
export async function checkPeriod(archive: Archive, order: PeriodOrder, most?: number): Promise<PeriodCheck> {
  const facts = await checkFacts(archive, order, most);
  const report = await figuresOf(archive, order, facts);
  const items = itemsOf(order, facts, report);
  const ready = items.every(({ state }) => state !== 'open');
  return { order, state: facts.kept?.state ?? 'open', ready, items, facts };
}

/** The items in their order. Pure. */
export function itemsOf(order: PeriodOrder, facts: CheckFacts, report: Report | null): CheckItem[] {
  const { run, statements, previous } = ordinaryItems(order, facts, report?.uncompared ?? []);
  const figures = figureItems(facts, report);
  const queue = exceptionItems(order, facts);
  return [
    ...[run, statements, figures.closingBalance, figures.unparsed, figures.control, figures.unexplained],
    ...[queue.exceptions, queue.approvals, figures.reserves, figures.suggestions, queue.lateItems, previous],
  ];
}

async function figuresOf(archive: Archive, { set, period }: PeriodOrder, { run }: CheckFacts): Promise<Report | null> {
  if (run === null) return null;
  return monthReport(archive, { run: run.run, period, set, prepared: null, approved: null });
}

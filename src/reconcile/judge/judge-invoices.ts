import {
  divided,
  feePostings,
  type Invoice,
  type InvoiceTerms,
  judgeInvoice,
  tolerated,
} from '../../domain/matching/invoice.ts';
import { withLateLines } from '../../domain/matching/late.ts';
import type { Moved } from '../../domain/matching/law.ts';
import { linePostings, type Posting } from '../../domain/matching/postings.ts';
import type { TheirLine } from '../../domain/matching/rows.ts';
import type { Verdict } from '../../domain/matching/terms.ts';
import { magnitude } from '../../domain/money/amount.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { latest } from '../../domain/reconciling/business-day.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import { lineKey } from '../load/bases.ts';
import { openAt } from './both-dates.ts';
import { enter } from './enter.ts';
import type { Charged } from './invoices.ts';
import { list } from './list.ts';
import { posted, saidIn } from './place-item.ts';
import type { MatchRun } from './run.ts';

/** Judges the fees of each of these groups with the lines that charge them, books what moved by us, and lists what differs. */
export function judgeInvoices(run: MatchRun): void {
  for (const one of run.invoices.all()) judgeCharged(run, one);
}

function judgeCharged(run: MatchRun, charged: Charged): void {
  const { sides, name, days, fees } = charged;
  const { window, books } = run;
  const lines = charged.lines.map((line) => line as ChargingLine);
  const invoice: Invoice = { days, fees, lines };
  const { judgedDay, compare, dueAfter } = run.termsOf(sides, window.until);
  const terms: InvoiceTerms = { until: window.until, judgedDay, compare, dueDay: dueAfter(days.lastLine) };
  const verdict = judgeInvoice(invoice, terms);
  const late = run.late.of([], lines);
  const before = { ...terms, until: window.eve };
  const moved: Moved = {
    now: { ours: oursOf(invoice, terms), theirs: chargesOf(lines, window.until) },
    eve: { ours: oursOf({ ...invoice, lines: late.inTime }, before), theirs: chargesOf(late.inTime, window.eve) },
  };
  const book = books.of(name);
  const members = { ours: [feesName(charged)], lines: lines.map(lineKey) };
  const entered = enter(run, book, {
    ...{ members, late, moved: new Map([[book, moved]]) },
    ...openAt([judgeInvoice({ ...invoice, lines: late.inTime }, before)].filter((one) => one !== null)),
    isOpen: verdict !== null,
    isOfStatements: false,
  });
  if (entered === null) return;
  const said = withLateLines(verdict === null ? [] : [verdict], late.lines);
  const items = said.map((one) => invoiceItem(run, charged, one));
  for (const item of items) list(run, name, entered, item);
  entered.freeze(items);
}

type ChargingLine = LooseLine & TheirLine;

function feesName({ sides, name: { environment, account, currency }, days }: Charged): string {
  return JSON.stringify(['fees', environment, `${account} ${currency} ${days.from}`, sides.leg.name]);
}

/** The fees up to a day, divided as the lines do; what of them is within the tolerance is by us as it is by them. */
function oursOf(invoice: Invoice, terms: InvoiceTerms): Posting[] {
  const own = [...feePostings(invoice, terms.until), ...divided(invoice, terms)];
  return judgeInvoice(invoice, terms) === null ? [...own, ...tolerated(invoice, terms)] : own;
}

function chargesOf(lines: readonly ChargingLine[], until: string): Posting[] {
  return lines.filter(({ date }) => date <= until).flatMap((line) => linePostings(line, null));
}

function invoiceItem(run: MatchRun, { sides, name, days, fees, lines }: Charged, verdict: Verdict): Item {
  const { window } = run;
  const { environment, account, currency } = name;
  const { line, dueDay } = verdict;
  const isLate = verdict.code === 'late_arrival';
  const item: Item = {
    ...{ kind: null, environment, currency, recordId: null },
    reference: days.from === days.to ? `fees of ${days.from}` : `fees of ${days.from.slice(0, 7)}`,
    minor: magnitude(fees.reduce((sum, { minor }) => sum + minor, 0n)),
    firstSeen: dueDay ?? latest([days.to, ...lines.map(({ date }) => date).filter((day) => day <= window.until)]),
    date: line?.date ?? (days.to < window.until ? days.to : window.until),
    ...saidIn(verdict, { leg: sides.leg.name, account, isOfLine: isLate }),
  };
  return posted(item, isLate ? window.from : null);
}

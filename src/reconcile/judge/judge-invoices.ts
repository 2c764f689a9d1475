import { type Invoice, type InvoiceTerms, judgeInvoice, tolerated } from '../../domain/matching/invoice.ts';
import { linePostings, type Posting } from '../../domain/matching/postings.ts';
import type { TheirLine } from '../../domain/matching/rows.ts';
import { magnitude } from '../../domain/money/amount.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import { isActive } from '../load/window.ts';
import type { Charged } from './invoices.ts';
import { lineName } from './place-item.ts';
import type { MatchRun } from './run.ts';

/** Judges the fees of each of these groups with the lines that charge them, books what moved by us, and lists what differs. */
export function judgeInvoices(run: MatchRun): void {
  for (const one of run.invoices.all()) judgeCharged(run, one);
}

function judgeCharged(run: MatchRun, { sides, name, days, fees, lines }: Charged): void {
  const { window, books, found, openings } = run;
  const invoice: Invoice = { days, fees, lines: lines.map((line) => line as LooseLine & TheirLine) };
  const { judgedDay, compare, dueAfter } = run.termsOf(sides, window.until);
  const terms: InvoiceTerms = { until: window.until, judgedDay, compare, dueDay: dueAfter(days.lastLine) };
  const verdict = judgeInvoice(invoice, terms);
  const now = fees.filter(({ day }) => day <= window.until);
  const moved = [...now, ...(verdict === null ? tolerated(invoice, terms) : [])];
  const isNow = isActive([...moved, ...lines.map(asPosting)], window);
  const book = books.of(name);
  const isOwn = run.hasOwnOpening(name);
  if (!isNow && openings.since(name) === null) return;
  if (isNow || isOwn) {
    book.addAll('ours', moved, '');
    // What the opening balances have: by us the fees of the days before, or with the statement's own the lines of them.
    const before = isOwn
      ? moved.filter(({ day }) => day < window.from)
      : lines.filter(({ date }) => date < window.from).map(asPosting);
    book.addAll('ours', before, '', -1n);
    if (isOwn) {
      for (const { day, minor } of before) {
        if (day >= window.begin) book.addBefore('ours', minor);
        else book.openAtBegin -= minor;
      }
      for (const { date, amount } of lines) if (date < window.begin) book.openAtBegin += amount;
    }
  }
  if (verdict === null) return;
  const { code, sub, side, field, ours, theirs, detail, effect, line, dueDay } = verdict;
  book.effects += effect;
  const item = {
    facts: { code, sub, side, field, ours, theirs, detail },
    ...{ kind: null, environment: name.environment, currency: name.currency, recordId: null },
    reference: days.from === days.to ? `fees of ${days.from}` : `fees of ${days.from.slice(0, 7)}`,
    minor: magnitude(fees.reduce((sum, { minor }) => sum + minor, 0n)),
    firstSeen: dueDay ?? days.to,
    date: line?.date ?? (days.to < window.until ? days.to : window.until),
    place: {
      ...{ leg: sides.leg.name, account: name.account, effect, candidates: [], names: null },
      line: line === null ? null : lineName(line),
    },
  };
  if (isNow) (code === 'timing' ? found.timing : found.breaks).push(item);
  else if (openings.carries(name, item.date)) found.carried.push(item);
}

function asPosting(line: LooseLine): Posting {
  const [posting] = linePostings({ ...line, type: 'fee', fee: null, tax: null, duty: null }, null);
  return posting ?? { row: 'fees', day: line.date, minor: line.amount };
}

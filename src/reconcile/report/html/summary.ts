import { isZero, sumOf } from '../decimal.ts';
import type { PeriodSignOff, Report, Signature } from '../model.ts';
import { amount, bookName, effect, name as nameColumn, type Table } from '../table.ts';
import { counted, countOf, monthName } from '../words.ts';
import { pageTable } from './block.ts';
import { factsOf } from './summary-facts.ts';

/** Said in words, so that colour alone says nothing. */
export interface Verdict {
  readonly mark: 'good' | 'bad' | 'plain';
  readonly text: string;
}

/** The first sheet: what is signed. */
export function summary(report: Report, signOff: PeriodSignOff | null, time: (at: string) => string) {
  const { prepared, zone, set, environment, cutOff, asAt } = report;
  const approved = signOff?.approved ?? report.approved;
  const of = [set === null ? null : `Set ${set}`, `environment ${environment ?? 'live and test'}`];
  return {
    title: periodTitle(report),
    about: [...of, `known at ${time(asAt)}`, `times in ${zone}, days end at ${cutOff}`]
      .filter((part) => part !== null)
      .join(' · '),
    verdicts: verdicts(report, signOff),
    balances: pageTable(balancesTable(report)),
    facts: factsOf(report),
    signatures: [signature('Prepared by', prepared, time), signature('Approved by', approved, time)],
  };
}

/** `October 2026`, or `2026-10-05 to 2026-10-11`. */
export function periodTitle({ period, from, to }: Pick<Report, 'period' | 'from' | 'to'>): string {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(period) ?? [];
  return month === undefined ? (from === to ? from : `${from} to ${to}`) : `${monthName(month)} ${year}`;
}

function verdicts({ proof, exceptions, carried }: Report, signOff: PeriodSignOff | null): Verdict[] {
  const left = proof.filter(({ unexplained }) => !isZero(unexplained));
  const before = [...carried.byCode, ...carried.repeated];
  const listed = [...exceptions.byCode, ...exceptions.repeated, ...before];
  const openOf = (sums: typeof before) => sums.reduce((sum, one) => sum + one.open, 0);
  const [open, openBefore] = [openOf(listed), openOf(before)];
  const all = listed.reduce((sum, one) => sum + one.count, 0);
  const proved: Verdict =
    proof.length === 0
      ? { mark: 'plain', text: 'No balance to prove' }
      : left.length === 0
        ? {
            mark: 'good',
            text:
              proof.length === 1
                ? 'The balance is explained to 0.00'
                : `All ${proof.length} balances are explained to 0.00`,
          }
        : { mark: 'bad', text: `${left.length} of ${proof.length} balances not explained` };
  return [
    proved,
    {
      mark: open === 0 ? 'good' : 'bad',
      text:
        open === 0
          ? all === 0
            ? 'No exception'
            : 'Every exception is resolved'
          : `${counted(open)} of ${countOf(all, 'exception')} open${openBefore === 0 ? '' : `, ${counted(openBefore)} from before`}`,
    },
    ...(signOff === null
      ? []
      : [
          {
            mark: 'plain' as const,
            text: `Period ${signOff.state}${signOff.closing > 1 ? `, closing ${signOff.closing}` : ''}`,
          },
        ]),
  ];
}

type Proof = Report['proof'][number];

function balancesTable({ proof, environment: only }: Report): Table<Proof> {
  const end = (one: Proof, name: 'opening' | 'closing') => one.rows.find((row) => row.name === name);
  return {
    ...{ name: 'Balances', title: 'Balances', rows: proof },
    columns: [
      nameColumn('Account and currency', (one) => bookName(one, only), {
        to: (one) => `balance-proof-${proof.indexOf(one) + 1}`,
      }),
      amount('Opening by the statement', (one) => end(one, 'opening')?.theirs ?? null),
      amount('Closing by us', (one) => end(one, 'closing')?.ours ?? null),
      amount('Closing by the statement', (one) => end(one, 'closing')?.theirs ?? null),
      effect('Difference', (one) => end(one, 'closing')?.difference ?? null),
      effect('Explained', (one) => sumOf(one.explained.map((part) => part.effect))),
      amount('Unexplained', (one) => one.unexplained, { mark: (one) => (isZero(one.unexplained) ? 'good' : 'bad') }),
    ],
  };
}

function signature(role: string, signed: Signature | null, time: (at: string) => string) {
  return { role, who: signed?.who ?? null, at: signed === null ? '' : time(signed.at) };
}

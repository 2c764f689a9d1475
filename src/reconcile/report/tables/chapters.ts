import type { PeriodSignOff, Report } from '../model.ts';
import type { Chapter, Table } from '../table.ts';
import { balanceProof } from './balance.ts';
import * as exceptions from './exceptions.ts';
import { NO_LINKS, type PageLinks } from './links.ts';
import * as matches from './matches.ts';
import * as money from './money.ts';
import * as papers from './papers.ts';

/** The figures of a report: every table that says something, in the order in which every form has them. */
export function figures(report: Report, signOff: PeriodSignOff | null, links: PageLinks = NO_LINKS): Chapter[] {
  const { environment: only, fees, carried } = report;
  const chapters: (Chapter | null)[] = [
    {
      id: 'balances',
      title: 'Balance proof',
      lead: 'Opening balance and movements make the closing balance, by our records and by the statement. What differs is made of the exceptions and the items below it; what is left is unexplained and must be 0.00.',
      tables: filled(balanceProof(report, links)),
      nothing: 'No statement covers these days, so there is no balance to prove.',
    },
    {
      id: 'exceptions',
      title: 'Exceptions',
      lead: 'Every difference that needs an explanation. A count leads to the exceptions behind it. Effect is what an exception adds to the balance by the statement; that of an account without a balance proof stands apart.',
      tables: filled(
        exceptions.byCode('Exceptions', report.exceptions.byCode, only, links),
        exceptions.byAge('Exceptions', report.exceptions.byAge, only),
        exceptions.byResolution(report),
        exceptions.repeated('Exceptions', report.exceptions.repeated, only),
        exceptions.waiting(report),
        exceptions.atRisk(report),
      ),
      nothing: 'There is no exception.',
    },
    carried.items.length + carried.more === 0 ? null : fromBefore(report, links),
    {
      id: 'match-rate',
      title: 'Match rate',
      lead: 'Matched against matched and unmatched. What is not due yet, or has no statement, is in no rate.',
      tables: filled(matches.matchRate(report), matches.uncompared(report), matches.matchRateByDay(report)),
      nothing: 'No statement covers these days, so nothing could be matched.',
    },
    {
      id: 'in-transit',
      title: 'In transit',
      lead: 'Collected, and in no batch that the wallet or the bank has confirmed.',
      tables: filled(money.inTransit(report), money.batchesInTransit(report), money.inTransitByDay(report)),
      nothing: 'Nothing is in transit.',
    },
    {
      id: 'reserves',
      title: 'Reserved for refunds',
      lead: 'Held by the service for refunds that were not settled at the end of the period.',
      tables: filled(money.reserved(report)),
      nothing: 'Nothing is reserved.',
    },
    {
      id: 'fees',
      title: 'Fees, tax and duty',
      lead:
        fees.audit === null
          ? 'The rules have no fee schedule, so no charge is held against one.'
          : 'Each charge is held against the fee schedule of the rules.',
      tables: filled(money.charged(report), money.bySchedule(report), money.claimed(report)),
      nothing: 'Nothing was charged.',
    },
    {
      id: 'late',
      title: 'Late items',
      lead: 'A closed period keeps its figures. What comes late is flagged, and posts in the first open period.',
      tables: filled(money.late(report), papers.sinceClose(report, signOff)),
      nothing: 'Nothing came late.',
    },
  ];
  return chapters.filter((one) => one !== null);
}

function fromBefore(report: Report, links: PageLinks): Chapter {
  const { environment: only, carried } = report;
  const { byCode, byAge, repeated } = carried;
  return {
    id: 'carried',
    title: 'From before',
    lead: 'What was open, or resolved and still in a balance, when the period began. It is in no figure of the exceptions above.',
    tables: filled(
      exceptions.byCode('From before', byCode, only, links),
      exceptions.byAge('From before', byAge, only),
      exceptions.repeated('From before', repeated, only),
      money.stillOwed(report),
      exceptions.carriedList(report, links),
      exceptions.carriedMore(report),
    ),
    nothing: '',
  };
}

/** What the figures rest on, and what other papers are held against: last in every form. */
export function restsOn(report: Report, signOff: PeriodSignOff | null): Chapter[] {
  return [
    {
      id: 'sources',
      title: 'What this rests on',
      lead: 'The same files, rules and records give the same figures. The digest of a file:',
      command: 'sha256sum FILE',
      tables: filled(papers.digests(report, signOff), papers.files(report)),
      nothing: '',
    },
    {
      id: 'totals',
      title: 'Control totals',
      lead: 'Every form of this report ends with these figures.',
      tables: filled(papers.controlTotalsBefore(report), papers.controlTotals(report)),
      nothing: 'There are no lines and no exceptions.',
    },
  ];
}

/** The tables of a report in their order; `more` stand before the papers. */
export function reportTables(
  report: Report,
  signOff: PeriodSignOff | null,
  more: readonly Table<unknown>[] = [],
): Table<unknown>[] {
  const tables = (chapters: readonly Chapter[]) => chapters.flatMap((chapter) => chapter.tables);
  return [
    ...filled(papers.heading(report, signOff)),
    ...tables(figures(report, signOff)),
    ...filled(...more),
    ...tables(restsOn(report, signOff)),
  ];
}

/** Those that have a row. */
function filled(...tables: readonly Table<unknown>[]): Table<unknown>[] {
  return tables.filter(({ rows }) => rows.length > 0);
}

import type { PeriodStanding, Report } from '../model.ts';
import { balanceOf, balanceProof } from './balance.ts';
import * as carried from './carried.ts';
import * as items from './items.ts';
import * as money from './money.ts';
import * as papers from './papers.ts';
import type { Section } from './section.ts';

/** The month on one page: every part that has something to say, control totals last. */
export function pageSections(report: Report, standing: PeriodStanding | null): Section[] {
  return [
    papers.heading(report, standing),
    ...report.proof.map(balanceOf),
    money.inTransit(report),
    money.batchesInTransit(report),
    money.reserved(report),
    money.fees(report),
    money.schedule(report),
    items.exceptionsByCode(report),
    items.exceptionsByAge(report),
    items.exceptionsByResolution(report),
    items.exceptionsRepeated(report),
    carried.carriedByCode(report),
    carried.carriedByAge(report),
    carried.carriedRepeated(report),
    carried.carriedClaims(report),
    carried.carriedList(report),
    items.waiting(report),
    items.atRisk(report),
    items.matchRate(report),
    items.uncompared(report),
    items.late(report),
    papers.sinceClose(report, standing),
    papers.files(report),
    papers.digests(report),
    papers.controlTotals(report),
  ].filter(isFilled);
}

/** The sheets of a workbook: as the page, with every row and the figures by day. `exceptions` stand before the papers. */
export function sheetSections(report: Report, standing: PeriodStanding | null, exceptions: Section): Section[] {
  return [
    papers.heading(report, standing),
    balanceProof(report),
    money.inTransit(report),
    money.batchesInTransit(report),
    money.inTransitByDay(report),
    money.reserved(report),
    money.fees(report),
    money.schedule(report),
    items.exceptionsByCode(report),
    items.exceptionsByAge(report),
    items.exceptionsByResolution(report),
    items.exceptionsRepeated(report),
    exceptions,
    carried.carriedByCode(report),
    carried.carriedByAge(report),
    carried.carriedRepeated(report),
    carried.carriedClaims(report),
    carried.carriedList(report),
    items.waiting(report),
    items.atRisk(report),
    items.matchRate(report),
    items.matchRateByDay(report),
    items.uncompared(report),
    items.late(report),
    papers.sinceClose(report, standing),
    papers.files(report),
    papers.digests(report),
    papers.controlTotals(report),
  ].filter(isFilled);
}

function isFilled({ rows, totals }: Section): boolean {
  return rows.length + totals.length > 0;
}

import { carriedLines } from './csv-carried.ts';
import type { Line } from './csv-line.ts';
import type { PeriodStanding, Report } from './model.ts';

/** A report as lines, control totals last. */
export function linesOf(report: Report, standing: PeriodStanding | null): Line[] {
  return [...headingLines(report, standing), ...figureLines(report), ...paperLines(report, standing)];
}

function headingLines(report: Report, standing: PeriodStanding | null): Line[] {
  const { period, from, to, zone, cutOff, set, environment, asAt, prepared } = report;
  const approved = standing?.approved ?? report.approved;
  const facts = {
    ...{ [report.report]: period, from, to, zone, cut_off: cutOff, set, as_at: asAt },
    state: standing?.state ?? 'open',
    ...{ prepared_by: prepared?.who ?? null, prepared_at: prepared?.at ?? null },
    ...{ approved_by: approved?.who ?? null, approved_at: approved?.at ?? null },
    ...(standing !== null && { digest: standing.digest, head: standing.head }),
  };
  return Object.entries(facts).map(([item, detail]) => ({ section: 'report', environment, item, detail }));
}

function figureLines(report: Report): Line[] {
  const { proof, inTransit, reserved, fees, exceptions, waiting, atRisk, matchRate, uncompared, late } = report;
  return [
    ...proof.flatMap(({ environment, account, currency, covers, rows, explained, unexplained }): Line[] => {
      const own = { section: 'proof', environment, account, currency };
      return [
        { ...own, item: 'covers', detail: 'from', date: covers.from },
        { ...own, item: 'covers', detail: 'to', date: covers.to },
        ...rows.map(({ name, ...row }) => ({ ...own, item: name, ...row })),
        ...explained.map(({ by, count, effect }) => ({ ...own, item: 'explained', detail: by, count, effect })),
        { ...own, item: 'unexplained', difference: unexplained },
      ];
    }),
    ...inTransit.byAge.map(({ age, collections, ...row }) => {
      return { section: 'in_transit', ...row, item: age, count: collections };
    }),
    ...inTransit.byDay.map(({ collections, ...row }) => ({ section: 'in_transit_by_day', ...row, count: collections })),
    ...inTransit.batches.map(({ age, reference, ...row }) => {
      return { section: 'batches_in_transit', ...row, item: reference, detail: age };
    }),
    ...reserved.map(({ environment, currency, status, age, refunds, reserved }) => {
      return {
        section: 'reserved',
        environment,
        currency,
        item: age,
        detail: status,
        count: refunds,
        amount: reserved,
      };
    }),
    ...fees.charged.flatMap(({ environment, account, currency, total, ours, difference, ...charges }): Line[] => {
      const own = { section: 'fees', environment, account, currency };
      const { fees, refundFees, tax, duty } = charges;
      const parts = { fees, refund_fees: refundFees, tax, duty };
      return [
        ...Object.entries(parts).map(([item, theirs]) => ({ ...own, item, theirs })),
        { ...own, item: 'total', ours, theirs: total, difference },
      ];
    }),
    ...(fees.audit ?? []).flatMap(({ environment, currency, ...sum }): Line[] => {
      const own = { section: 'fees_by_schedule', environment, currency };
      return [
        { ...own, item: 'charges', count: sum.rows },
        { ...own, item: 'as_scheduled', count: sum.agreed },
        { ...own, item: 'without_rule', count: sum.withoutRule },
        { ...own, item: 'not_stated', count: sum.unstated },
        { ...own, item: 'overcharged', count: sum.overLines, amount: sum.overcharged },
        { ...own, item: 'undercharged', count: sum.underLines, amount: sum.undercharged },
        { ...own, item: 'difference', amount: sum.difference },
      ];
    }),
    ...fees.claimed.map(({ claims, ...row }) => ({ section: 'fees_claimed', ...row, count: claims })),
    ...exceptions.byCode.map(({ code, ...sum }) => ({ section: 'exceptions_by_code', item: code, ...sum })),
    ...exceptions.byAge.map(({ age, ...sum }) => ({ section: 'exceptions_by_age', item: age, ...sum })),
    ...exceptions.byResolution.map(({ resolution, reasonCode, ...sum }) => {
      return { section: 'exceptions_by_resolution', item: resolution ?? 'none', detail: reasonCode, ...sum };
    }),
    ...exceptions.repeated.map((sum) => ({ section: 'exceptions_repeated', ...sum })),
    ...carriedLines(report),
    ...waiting.map(({ list, ...sum }) => ({ section: 'waiting', item: list, ...sum })),
    ...atRisk.map(({ records, ...row }) => ({ section: 'at_risk', ...row, count: records })),
    ...matchRate.legs.flatMap(({ environment, leg, currency, ...counts }): Line[] => {
      const own = { section: 'match_rate', environment, currency, item: leg };
      return [
        { ...own, detail: 'matched', count: counts.matched, open: counts.unmatched, amount: counts.rate },
        { ...own, detail: 'not_due', count: counts.notDue },
        { ...own, detail: 'no_statement', count: counts.noStatement },
      ];
    }),
    ...uncompared.map(({ environment, account, currency, type, lacks, lines, moved }) => {
      const own = {
        environment,
        account,
        currency,
        item: type,
        detail: lacks === null ? 'no rule' : `no ${lacks} statement`,
      };
      return { section: 'compared_with_nothing', ...own, count: lines, amount: moved };
    }),
    ...matchRate.byDay.map(({ environment, leg, date, matched, unmatched, rate }) => {
      return {
        section: 'match_rate_by_day',
        environment,
        item: leg,
        date,
        count: matched,
        open: unmatched,
        amount: rate,
      };
    }),
    ...late.map((row) => ({ section: 'late', ...row })),
  ];
}

function paperLines({ digests, controlTotals, environment: only }: Report, standing: PeriodStanding | null): Line[] {
  const { rules, profiles, files, exceptions } = digests;
  return [
    ...(standing?.sinceClose ?? []).map(({ what, reference, at }) => {
      return { section: 'since_close', environment: only, item: what, detail: reference, date: at.slice(0, 10) };
    }),
    { section: 'digest', item: `rules ${rules.name}`, detail: rules.sha256 },
    ...profiles.map(({ name, sha256 }) => ({ section: 'digest', item: `profile ${name}`, detail: sha256 })),
    ...files.map(({ environment, account, name, sha256, lines }) => {
      return { section: 'digest', environment, account, item: `file ${name}`, detail: sha256, count: lines };
    }),
    { section: 'digest', item: 'exceptions', detail: exceptions },
    ...controlTotals.flatMap(({ environment, currency, ...total }): Line[] => {
      const own = { section: 'control_total', environment, currency };
      const { closingOurs: ours, closingTheirs: theirs } = total;
      return [
        { ...own, item: 'lines', count: total.lines, amount: total.moved },
        { ...own, item: 'closing', ours, theirs },
        { ...own, item: 'unexplained', difference: total.unexplained },
        { ...own, item: 'carried', count: total.carried, effect: total.carriedEffect },
        { ...own, item: 'exceptions', count: total.exceptions, variance: total.variance, effect: total.effect },
      ];
    }),
  ];
}

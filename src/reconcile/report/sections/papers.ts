import { localTime } from '../../../time/local-time.ts';
import { textCell } from '../../sheet/cells.ts';
import type { PeriodStanding, Report, Signature } from '../model.ts';
import { amount, count, currency, environment, name, type Section, section, text } from './section.ts';

// What a report is of, who signs it, what it rests on, and its totals.

/** Names and values: what is reported, as it was known when, who prepared and approved it. */
export function heading(report: Report, standing: PeriodStanding | null): Section {
  const { period, from, to, zone, cutOff, set, environment, asAt, prepared } = report;
  const approved = standing?.approved ?? report.approved;
  const local = localTime(zone);
  const time = (at: string) => local(Date.parse(at));
  const signed = (one: Signature | null) => (one === null ? 'not yet' : `${one.who}, ${time(one.at)}`);
  const facts: readonly (readonly [string, string])[] = [
    [report.report, period],
    ['days', `${from} to ${to}, each until ${cutOff}, ${zone}`],
    ...(set === null ? [] : ([['set', set]] as const)),
    ['environment', environment ?? 'test and live, never mixed'],
    ['as at', time(asAt)],
    ['state', stateOf(standing)],
    ['prepared by', signed(prepared)],
    ['approved by', signed(approved)],
    ...(standing === null ? [] : ([['sha256 of the frozen report', standing.digest]] as const)),
    ...(standing === null || standing.head === null ? [] : ([['head of the audit', standing.head]] as const)),
  ];
  return {
    name: 'Report',
    title: `Report of ${period}`,
    columns: [
      { header: 'Report', width: 28 },
      { header: period, width: 80 },
    ],
    rows: facts.map((fact) => fact.map(textCell)),
    totals: [],
  };
}

function stateOf(standing: PeriodStanding | null): string {
  if (standing === null) return 'open';
  return `${standing.state}, closing ${standing.closing}`;
}

export function sinceClose({ environment, zone }: Report, standing: PeriodStanding | null): Section {
  const rows = (standing?.sinceClose ?? []).map((one) => ({ environment: environment ?? ('live' as const), ...one }));
  return section({ name: 'Since close', title: 'Since it was closed', totals: false }, rows, [
    text('At', 22, ({ at }) => localTime(zone)(Date.parse(at))),
    name('What', 30, ({ what }) => what),
    text('Reference', 30, ({ reference }) => reference),
  ]);
}

export function files({ digests, environment: only }: Report): Section {
  return section({ name: 'Files', title: 'Statements', totals: false }, digests.files, [
    ...environment(only),
    text('Account', 22, ({ account }) => account),
    text('Kind', 12, ({ kind }) => kind),
    name('File', 34, (file) => file.name),
    { header: 'From', width: 12, cell: ({ from }) => (from === null ? null : { kind: 'day', day: from }) },
    { header: 'To', width: 12, cell: ({ to }) => (to === null ? null : { kind: 'day', day: to }) },
    count('Lines', ({ lines }) => lines),
    count('Not readable', ({ unparsed }) => unparsed),
    text('SHA-256', 68, ({ sha256 }) => sha256),
  ]);
}

/** The rules, the profiles and the exceptions behind the figures. */
export function digests({ digests: { rules, profiles, exceptions } }: Report): Section {
  const rows: readonly (readonly [string, string, string])[] = [
    ['rules', rules.name, rules.sha256],
    ...profiles.map(({ name, sha256 }) => ['profile', name, sha256] as const),
    ['exceptions', 'as listed', exceptions],
  ];
  return {
    name: 'Digests',
    title: 'Digests',
    columns: [
      { header: 'What', width: 14 },
      { header: 'Name', width: 34 },
      { header: 'SHA-256', width: 68 },
    ],
    rows: rows.map((row) => row.map(textCell)),
    totals: [],
  };
}

export function controlTotals({ controlTotals, environment: only }: Report): Section {
  return section({ name: 'Control totals', title: 'Control totals', totals: false }, controlTotals, [
    ...environment(only),
    currency(),
    count('Lines', ({ lines }) => lines),
    amount('Moved', ({ moved }) => moved),
    amount('Closing by us', ({ closingOurs }) => closingOurs),
    amount('Closing by statement', ({ closingTheirs }) => closingTheirs),
    amount('Unexplained', ({ unexplained }) => unexplained),
    count('Exceptions', ({ exceptions }) => exceptions),
    amount('Variance', ({ variance }) => variance),
    amount('Effect', ({ effect }) => effect),
    count('From before', ({ carried }) => carried),
    amount('Effect from before', ({ carriedEffect }) => carriedEffect),
  ]);
}

import { localTime } from '../../../time/local-time.ts';
import type { ControlTotal, PeriodSignOff, Report, ReportFile } from '../model.ts';
import { amount, book, count, day, digest, effect, name, onlyCsv, type Table, text } from '../table.ts';

// What a report is of, who signs it, what it rests on, and its totals.

interface Fact {
  readonly environment: Report['environment'];
  readonly item: string;
  readonly value: string | null;
  readonly words?: string | undefined;
}

/** Names and values: what is reported, as it was known when, who prepared and approved it. */
export function heading(report: Report, signOff: PeriodSignOff | null): Table<Fact> {
  const { period, from, to, zone, cutOff, set, environment, asAt, prepared } = report;
  const approved = signOff?.approved ?? report.approved;
  const time = (at: string | undefined) => (at === undefined ? undefined : localTime(zone)(Date.parse(at)));
  const facts: readonly (readonly [item: string, value: string | null, words?: string | undefined])[] = [
    [report.report, period],
    ...([
      ['from', from],
      ['to', to],
      ['zone', zone],
      ['cut_off', cutOff],
    ] as const),
    ['set', set, set ?? 'every account'],
    ['environment', environment, environment ?? 'test and live, never mixed'],
    ['as_at', asAt, time(asAt)],
    ['state', signOff?.state ?? 'open', signOff === null ? undefined : `${signOff.state}, closing ${signOff.closing}`],
    ['prepared_by', prepared?.who ?? null, prepared?.who ?? 'not yet'],
    ['prepared_at', prepared?.at ?? null, time(prepared?.at)],
    ['approved_by', approved?.who ?? null, approved?.who ?? 'not yet'],
    ['approved_at', approved?.at ?? null, time(approved?.at)],
  ];
  return {
    ...{ name: 'Report', title: `Report of ${period}`, csv: 'report' },
    columns: [
      onlyCsv('environment', (row) => row.environment),
      name('', (row) => row.item, {
        csv: 'item',
        width: 28,
        words: ({ item }) => item.replaceAll('_', ' '),
      }),
      text('', (row) => row.value, { csv: 'detail', width: 80, words: ({ words = null }) => words }),
    ],
    rows: facts.map(([item, value, words]) => ({ environment, item, value, words })),
    isMinor: (row) => row.value === null && row.words === undefined,
  };
}

interface Since {
  readonly what: string;
  readonly reference: string | null;
  readonly at: string;
}

export function sinceClose({ environment, zone }: Report, signOff: PeriodSignOff | null): Table<Since> {
  return {
    ...{ name: 'Since close', title: 'Since the close', csv: 'since_close' },
    columns: [
      onlyCsv('environment', () => environment),
      text('At', ({ at }) => at.slice(0, 'yyyy-MM-dd'.length), {
        ...{ csv: 'date', width: 22, words: ({ at }) => localTime(zone)(Date.parse(at)) },
      }),
      name('What', (row) => row.what, { csv: 'item', width: 30 }),
      text('Reference', (row) => row.reference, { csv: 'detail', width: 30 }),
    ],
    rows: signOff?.sinceClose ?? [],
  };
}

interface Digest {
  readonly what: string;
  readonly name: string | null;
  readonly sha256: string;
}

/** sha256 of the rules, the profiles and the exceptions; of a closed period, also of its report. */
export function digests({ digests }: Report, signOff: PeriodSignOff | null): Table<Digest> {
  const { rules, profiles, exceptions } = digests;
  return {
    ...{ name: 'Digests', title: 'Digests', csv: 'digest' },
    columns: [
      text('Of', (row) => row.what, { csv: 'kind', width: 14 }),
      name('Name', (row) => [row.what, row.name].filter((one) => one !== null).join(' '), {
        ...{ csv: 'item', width: 34, words: (row) => row.name ?? 'row by row' },
      }),
      digest('SHA-256', (row) => row.sha256, { csv: 'detail', width: 68 }),
    ],
    rows: [
      ...(signOff === null
        ? []
        : [{ what: 'report', name: `closing ${signOff.closing}, as frozen`, sha256: signOff.digest }]),
      ...(signOff?.head == null ? [] : [{ what: 'audit log', name: 'head at the close', sha256: signOff.head }]),
      { what: 'rules', ...rules },
      ...profiles.map((profile) => ({ what: 'profile', ...profile })),
      { what: 'exceptions', name: null, sha256: exceptions },
    ],
  };
}

export function files({ digests, environment: only }: Report): Table<ReportFile> {
  return {
    ...{ name: 'Files', title: 'Statement files', csv: 'digest' },
    columns: [
      ...book<ReportFile>(only, 'account'),
      text('Kind', (row) => row.kind, { csv: 'kind', width: 12 }),
      name('File', (file) => `file ${file.name}`, { csv: 'item', width: 34, words: (file) => file.name }),
      day('From', (row) => row.from, { csv: 'from' }),
      day('To', (row) => row.to, { csv: 'to' }),
      count('Lines', (row) => row.lines, { csv: 'count' }),
      count('Unreadable', (row) => row.unparsed, { csv: 'unreadable' }),
      digest('SHA-256', (row) => row.sha256, { csv: 'detail', width: 68 }),
    ],
    rows: digests.files,
  };
}

/** Of each environment and currency, to hold against other papers; it stands last. */
export function controlTotals({ controlTotals, environment: only }: Report): Table<ControlTotal> {
  return {
    ...{ name: 'Control totals', title: 'Control totals', csv: 'control_total' },
    columns: [
      ...book<ControlTotal>(only, 'currency'),
      count('Lines', (row) => row.lines, { csv: 'count', line: 'lines' }),
      amount('Moved', (row) => row.moved, { csv: 'amount', line: 'lines' }),
      amount('Closing by us', (row) => row.closingOurs, { csv: 'ours', line: 'closing' }),
      amount('Closing by statement', (row) => row.closingTheirs, { csv: 'theirs', line: 'closing' }),
      amount('Unexplained', (row) => row.unexplained, { csv: 'difference', line: 'unexplained' }),
      count('Exceptions', (row) => row.exceptions, { csv: 'count', line: 'exceptions' }),
      effect('Variance', (row) => row.variance, { csv: 'variance', line: 'exceptions' }),
      effect('Effect', (row) => row.effect, { csv: 'effect', line: 'exceptions' }),
    ],
    rows: controlTotals,
  };
}

/** Those of what is from before, in a table of their own: a page has no room for more columns. */
export function controlTotalsBefore({ controlTotals, environment: only }: Report): Table<ControlTotal> {
  const name = 'Control totals from before';
  return {
    ...{ name, title: name, csv: 'control_total' },
    columns: [
      ...book<ControlTotal>(only, 'currency'),
      count('Items', (row) => row.carried, { csv: 'count', line: 'carried' }),
      effect('Effect', (row) => row.carriedEffect, { csv: 'effect', line: 'carried' }),
    ],
    rows: controlTotals.filter(({ carried }) => carried > 0),
  };
}

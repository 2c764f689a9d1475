import type { PeriodStanding, Report } from '../model.ts';
import { type Block, digest, figure, head, placeName, row, type Section, word } from './blocks.ts';
import { counted, grouped, signed } from './text.ts';

// What the figures rest on, and what other papers can be held against.

/** sha256 of the files, the profiles that read them, the rules and the exceptions; of a closed period, of its report. */
export function sources({ digests }: Report, standing: PeriodStanding | null): Section {
  const named = [
    ...(standing === null ? [] : [row('Report', `closing ${standing.closing}`, standing.digest)]),
    ...(standing?.head == null ? [] : [row('Audit log', 'head at the close', standing.head)]),
    row('Rules', digests.rules.name, digests.rules.sha256),
    ...digests.profiles.map(({ name, sha256 }) => row('Profile', name, sha256)),
    row('Exceptions', 'row by row', digests.exceptions),
  ];
  const blocks: Block[] = [
    {
      title: 'Digests',
      chart: null,
      table: {
        caption: 'sha256 of what the figures rest on',
        columns: [head('Of'), word('Name'), digest('sha256')],
        rows: named,
      },
    },
  ];
  if (digests.files.length > 0)
    blocks.push({
      title: 'Statement files',
      chart: null,
      table: {
        caption: 'The statement files',
        columns: [head('File'), word('Account'), word('Days'), figure('Lines'), figure('Unreadable'), digest('sha256')],
        rows: digests.files.map((file) =>
          row(
            file.name,
            `${file.account} (${file.kind})`,
            file.from === null ? 'no day' : `${file.from} to ${file.to}`,
            counted(file.lines),
            counted(file.unparsed),
            file.sha256,
          ),
        ),
      },
    });
  return {
    id: 'sources',
    title: 'What this rests on',
    lead: 'The same files, rules and records give the same figures. The digest of a file:',
    command: 'sha256sum FILE',
    blocks,
    nothing: '',
  };
}

/** One row for each environment and currency, to hold against other papers; it stands last. */
export function controlTotals({ controlTotals: rows, environment: only }: Report): Section {
  const names = [
    'Lines',

    'Moved',
    'Closing by us',
    'Closing by statements',
    'Unexplained',
    'Exceptions',
    'Variance',
    'Effect',
  ];
  const table = {
    caption: 'Control totals',
    columns: [head('Currency'), ...names.map(figure)],
    rows: rows.map((one) =>
      row(
        placeName(one, only),
        counted(one.lines),
        ...[one.moved, one.closingOurs, one.closingTheirs, one.unexplained].map(grouped),
        counted(one.exceptions),
        signed(one.variance),
        signed(one.effect),
      ),
    ),
  };
  const before = carriedTotals(rows, only);
  return {
    id: 'totals',
    title: 'Control totals',
    lead: 'Every rendering of this report ends with these figures.',
    blocks:
      rows.length === 0 ? [] : [...before, { title: before.length === 0 ? null : 'Of the period', chart: null, table }],
    nothing: 'There are no lines and no exceptions.',
  };
}

/** A table of its own: an A4 page has no room for more columns. */
function carriedTotals(rows: Report['controlTotals'], only: Report['environment']): Block[] {
  const carried = rows.filter((one) => one.carried > 0);
  if (carried.length === 0) return [];
  return [
    {
      title: 'From before',
      chart: null,
      table: {
        caption: 'Control totals of what is from before',
        columns: [head('Currency'), figure('Items'), figure('Effect')],
        rows: carried.map((one) => row(placeName(one, only), counted(one.carried), signed(one.carriedEffect))),
      },
    },
  ];
}

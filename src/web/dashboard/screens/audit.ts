import { ACTS } from '../../../domain/audit/acts.ts';
import type { AuditEntry } from '../../../domain/audit/entry.ts';
import { auditColumns } from '../../../lists/audit.ts';
import { verdictWords } from '../../../lists/audit-verdict.ts';
import type { AuditFilter, SignedHead } from '../../../store/audit.ts';
import { addressOf } from '../asked.ts';
import { factsBlock, linksBlock, noticeBlock, textBlock } from '../blocks.ts';
import { AFTER, askedIn, boundsOf, DAYS, text, words } from '../filters.ts';
import { given } from '../forms.ts';
import { listPage } from '../list-blocks.ts';
import type { Block, Page, Shown } from '../page.ts';
import { asidePage, type Context, lightPage, type Route } from '../route.ts';
import { periodAddress } from './periods.ts';

// Who did what; does it verify?

const FILTERS = { who: text('Who'), act: words('Act', ACTS), subject: text('Subject'), ...DAYS };

export const auditRoutes: readonly Route[] = [
  lightPage('/audit', 'read', audit, { ...FILTERS, ...AFTER }),
  asidePage('/audit/verify', 'read', verify),
];

async function audit(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { who, subject, act: acts, ...days } = askedIn(FILTERS, query, config.timeZone);
  const head = await archive.auditHead();
  return listPage<AuditFilter, AuditEntry & { readonly id: number }>(context, {
    ...{ title: 'Audit', question: 'Who did what; does it verify?', regions: ['exceptions'] },
    ...{ path: '/audit', filters: FILTERS, command: 'tallyhook audit list', others: ['tallyhook audit verify'] },
    filter: { ...boundsOf(days), ...given({ who, subject, acts }) },
    list: {
      read: async (asked, page) =>
        (await archive.auditEntries(asked, page)).map((entry) => ({ ...entry, id: entry.seq })),
      count: archive.countAuditEntries,
      isByIndex: subject !== undefined,
    },
    columns: auditColumns(),
    table: () => ({
      ...{ id: 'entries', caption: 'Entries, the latest first', head: 'Act', more: entryBlocks },
      links: { Subject: ({ subject }) => pageOf(subject) },
    }),
    none: { text: 'Nothing was entered yet.', next: 'Acts of persons are entered by themselves.' },
    noMatch: 'No entry matches.',
    above: [
      ...(head === null ? [] : [headFacts(head)]),
      linksBlock('The chain', [{ text: 'Verify that nothing was changed past it', href: '/audit/verify' }]),
    ],
  });
}

/** The screens of what acts are about, by the first word of the subject. */
const PAGES: Readonly<Record<string, (name: string) => string>> = {
  statement: (id) => `/statements/${id}`,
  exception: (id) => `/exceptions/${id}`,
  approval: (id) => `/approvals/${id}`,
  run: (run) => addressOf('/proof', { run }),
  period(name) {
    const [set = '', period = ''] = name.split('/');
    return periodAddress({ set, period });
  },
};

/** `statement:3` as the page of the statement. */
function pageOf(subject: string): string | undefined {
  const [, kind = '', name = ''] = /^([a-z]+):(.+)$/s.exec(subject) ?? [];
  return Object.hasOwn(PAGES, kind) ? PAGES[kind]?.(name) : undefined;
}

function headFacts({ hash, seq, at }: SignedHead): Block {
  return factsBlock([
    ['head', { text: hash, as: 'digest' }],
    ['entries', seq],
    ['of', { ms: Date.parse(at) }],
  ]);
}

function entryBlocks({ before, after, hash, previous }: AuditEntry): Block[] {
  const digest = (text: string | null): Shown => (text === null ? null : { text, as: 'digest' });
  const facts: readonly (readonly [string, Shown])[] = [
    ['before', before],
    ['after', after],
    ['hash', digest(hash)],
    ['previous', digest(previous)],
  ];
  return [factsBlock(facts)];
}

async function verify({ aside }: Context): Promise<Page> {
  const verdict = await aside.auditVerdict();
  const { sentences, next } = verdictWords(verdict);
  return {
    title: verdict.ok ? 'The audit verifies' : 'The audit does not verify',
    question: 'Was anything changed past the chain?',
    commands: ['tallyhook audit verify'],
    trail: [{ text: 'Audit', href: '/audit' }],
    blocks: [
      noticeBlock(verdict.ok ? 'good' : 'bad', sentences.join(' '), { ...(next !== null && { next }) }),
      factsBlock([
        ['entries', verdict.entries],
        ['head', verdict.head === null ? null : { text: verdict.head, as: 'long' }],
        ['tables whose rows were compared', { text: verdict.covers.join(', '), as: 'long' }],
      ]),
      textBlock(
        'Note the head elsewhere: tallyhook audit verify --head HEAD shows later that the chain still holds it.',
        { tone: 'quiet' },
      ),
    ],
  };
}

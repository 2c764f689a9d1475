import { ACTS } from '../../../domain/audit/acts.ts';
import type { AuditEntry } from '../../../domain/audit/entry.ts';
import { auditColumns } from '../../../lists/audit.ts';
import { verdictWords } from '../../../lists/audit-verdict.ts';
import { factsBlock, linksBlock, noticeBlock, textBlock } from '../blocks.ts';
import { AFTER, askedIn, boundsOf, DAYS, emptyFor, filtersForm, optionsOf, text, words } from '../filters.ts';
import { given } from '../forms.ts';
import { listTable, lookedPage, noneLooked, pagesBlock } from '../list-blocks.ts';
import type { Block, Page, Shown } from '../page.ts';
import type { Context, Route } from '../route.ts';

// Who did what; does it verify?

const FILTERS = { who: text('Who'), act: words('Act', ACTS), subject: text('Subject'), ...DAYS };

export const auditRoutes: readonly Route[] = [
  { method: 'GET', path: '/audit', act: 'read', weight: 'light', asks: { ...FILTERS, ...AFTER }, handle: audit },
  { method: 'GET', path: '/audit/verify', act: 'read', weight: 'aside', handle: verify },
];

async function audit({ archive, query, config }: Context): Promise<Page> {
  const { who, subject, act: acts, ...days } = askedIn(FILTERS, query, config.timeZone);
  const filter = { ...boundsOf(days), ...given({ who, subject, acts }) };
  const found = await lookedPage(query, filter, {
    read: async (asked, page) =>
      (await archive.auditEntries(asked, page)).map((entry) => ({ ...entry, id: entry.seq })),
    count: archive.countAuditEntries,
    isByIndex: subject !== undefined,
  });
  const head = await archive.auditHead();
  return {
    title: 'Audit',
    question: 'Who did what; does it verify?',
    commands: [`tallyhook audit list${optionsOf(FILTERS, query)}`, 'tallyhook audit verify'],
    regions: ['exceptions'],
    blocks: [
      ...(head === null
        ? []
        : [
            factsBlock([
              ['head', { text: head.hash, as: 'digest' as const }],
              ['entries', head.seq],
              ['of', { ms: Date.parse(head.at) }],
            ] as const),
          ]),
      linksBlock('The chain', [{ text: 'Verify that nothing was changed past it', href: '/audit/verify' }]),
      filtersForm('/audit', FILTERS, query),
      listTable(auditColumns(), found.rows, {
        ...{ id: 'entries', caption: 'Entries, the latest first', head: 'Act' },
        more: entryBlocks,
        empty: {
          ...emptyFor(
            query,
            { text: 'Nothing was entered yet.', next: 'Acts of persons are entered by themselves.' },
            'No entry matches.',
          ),
          ...noneLooked(found),
        },
      }),
      pagesBlock('/audit', query, found),
    ],
  };
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

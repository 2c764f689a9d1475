import { id, type ListColumn, long } from '../../../lists/column.ts';
import { breakSubject, progressText, resolutionText } from '../../../reconcile/exceptions/words.ts';
import { counted } from '../../../reconcile/report/words.ts';
import type { ActResult, Exception } from '../../../store/exceptions.ts';
import { localTime } from '../../../time/local-time.ts';
import { besideBlock, factsBlock, postForm, sectionBlock } from '../blocks.ts';
import { figureOf, listTable } from '../list-blocks.ts';
import type { Block, TableBlock } from '../page.ts';
import type { Context } from '../route.ts';
import { type Asked, carried, exceptionsOf, hiddenWords, MOST_SHOWN, saidFacts } from './exception-chosen.ts';

// What an act did not do, and why. What another person changed meanwhile stands beside what was wanted.

type Refused = Extract<ActResult, { outcome: 'refused' }>;

export function parted(results: readonly ActResult[]): { done: readonly Exception[]; refused: readonly Refused[] } {
  return {
    done: results.flatMap((one) => (one.outcome === 'done' ? [one.exception] : [])),
    refused: results.filter((one) => one.outcome === 'refused'),
  };
}

/** Why some are refused; what another person changed meanwhile stands beside what was wanted. */
export async function refusalBlocks(context: Context, asked: Asked, refused: readonly Refused[]): Promise<Block[]> {
  if (refused.length === 0) return [];
  const stale = refused.filter(({ reason }) => reason === 'stale');
  const now = await exceptionsOf(
    context,
    stale.map(({ id }) => ({ id, version: 0 })),
  );
  const rest = refused.filter(({ reason }) => reason !== 'stale');
  const wanted = saidFacts(context, asked);
  const both: Block = sectionBlock(
    'both',
    `Changed meanwhile: ${counted(stale.length)}`,
    [
      ...now.slice(0, MOST_SHOWN).map((one) => bothVersions(context, asked, one, wanted)),
      postForm('again', asked.words.path, {
        fields: [...hiddenWords(context, asked.words), ...carried(context.form, now)],
        buttons: [{ label: 'Decide again, on how they stand now', as: 'plain' }],
      }),
    ],
    'Another person, or a run, was faster. Both versions stand here, and nothing was overwritten.',
  );
  return [...(stale.length === 0 ? [] : [both]), ...(rest.length === 0 ? [] : [refusedTable(rest)])];
}

function bothVersions({ config }: Context, { words }: Asked, now: Exception, wanted: Block): Block {
  const local = localTime(config.timeZone);
  const time = (atMs: number | null) => (atMs === null ? 'no time' : local(atMs));
  return besideBlock([
    { title: `You: ${words.label.toLowerCase()} ${breakSubject(now) ?? now.id}`, blocks: [wanted] },
    {
      title: `${now.changedBy}, ${time(now.changedAtMs)}: version ${now.version}`,
      tone: 'warn',
      blocks: [
        factsBlock([
          ['State', { text: progressText(now), href: `/exceptions/${now.id}` }],
          ['Resolution', resolutionText(now, time)],
          ['Comment', now.comment === null ? null : { text: now.comment, as: 'long' }],
          ['Ours', now.ours === null ? null : figureOf(now.ours)],
          ['Theirs', now.theirs === null ? null : figureOf(now.theirs)],
        ]),
      ],
    },
  ]);
}

const REFUSED_COLUMNS: readonly ListColumn<Refused>[] = [
  id('Exception', (refused) => refused.id),
  long('Why', ({ message }) => message),
  long('Next', ({ hint }) => hint),
];

function refusedTable(refused: readonly Refused[]): TableBlock {
  return listTable(REFUSED_COLUMNS, refused, {
    ...{ id: 'refused', caption: 'Refused', most: MOST_SHOWN, empty: null },
    links: { Exception: ({ id }) => `/exceptions/${id}` },
  });
}

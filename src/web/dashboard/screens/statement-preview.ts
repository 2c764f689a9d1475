import { count, type ListColumn, text } from '../../../lists/column.ts';
import type { ImportedFile } from '../../../reconcile/import/import.ts';
import { accountText, balanceTexts, CURES, controlText } from '../../../reconcile/import/words.ts';
import { counted, countOf } from '../../../reconcile/report/words.ts';
import { factsBlock, noticeBlock } from '../blocks.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, TableBlock } from '../page.ts';
import { unparsedTable } from './statement-lines.ts';

// What a file would say, before it is imported.

export function verdict({ totals, new: fresh, known, unknownTypes }: ImportedFile): Block {
  const isRight = totals.unparsed === 0 && totals.controls.length === 0 && unknownTypes.length === 0;
  const counts = `${countOf(totals.lines, 'line')}: ${counted(fresh)} new, ${counted(known)} known already.`;
  if (isRight) return noticeBlock('good', `${counts} Every row can be read. Nothing is imported yet.`);
  const parts = [
    ...(totals.unparsed > 0 ? [`${countOf(totals.unparsed, 'row')} cannot be read`] : []),
    ...(totals.controls.length > 0 ? ['the file does not add up'] : []),
    ...(unknownTypes.length > 0 ? ['some types of lines are not in the profile'] : []),
  ];
  return noticeBlock('warn', `${counts} But ${parts.join(', and ')}. Nothing is imported yet.`, {
    next: 'Mend how it is read, or the file; it can be imported as it is, and the rest is a break to explain.',
  });
}

export function facts({ account, totals, file }: ImportedFile): Block {
  const { covers } = totals;
  return factsBlock([
    ['Account', accountText(account)],
    ['Covers', covers === null ? null : `${covers.from} to ${covers.to}`],
    ...balanceTexts(totals).map((text) => ['Balance', { text, as: 'long' }] as const),
    ['Sha256 of the file', { text: file.sha256, as: 'digest' }],
  ]);
}

export function problems({ totals, unparsed, unknownTypes, file }: ImportedFile): Block[] {
  return [
    ...totals.controls.map(
      (check): Block => noticeBlock('bad', controlText(file.name, check), { next: CURES[check.control] }),
    ),
    ...(unparsed.length === 0 ? [] : [unparsedTable(unparsed, totals.unparsed)]),
    ...(unknownTypes.length === 0 ? [] : [typesTable(unknownTypes)]),
  ];
}

const TYPE_COLUMNS: readonly ListColumn<ImportedFile['unknownTypes'][number]>[] = [
  text('Word', ({ word }) => (word === '' ? 'none' : word)),
  count('Lines', ({ lines }) => lines),
];

function typesTable(unknown: ImportedFile['unknownTypes']): TableBlock {
  return listTable(TYPE_COLUMNS, unknown, {
    ...{ id: 'types', caption: 'Words for types that the profile does not know', empty: null },
    note: 'Each of these lines is a break until the profile says under types what its word means.',
  });
}

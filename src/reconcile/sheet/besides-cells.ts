import type { Feature, Image } from 'write-excel-file/node';
import type { WorkbookSheet } from './workbook-sheet.ts';

/** Filter buttons and lists of words: the writer has no options for them. They stand directly behind the cells. */
export function besidesCells(sheets: readonly WorkbookSheet[]): Feature<Image['content']> {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform(xml, _options, { sheetIndex }) {
            const sheet = sheets[sheetIndex];
            const end = xml.lastIndexOf(CELLS_END) + CELLS_END.length;
            if (sheet === undefined || sheet.rows.length === 0 || end < CELLS_END.length) return xml;
            return `${xml.slice(0, end)}${filterOf(sheet)}${choicesOf(sheet)}${xml.slice(end)}`;
          },
        },
      },
    },
  };
}

const CELLS_END = '</sheetData>';

function filterOf({ columns, rows, hasFilter }: WorkbookSheet): string {
  if (hasFilter !== true) return '';
  return `<autoFilter ref="A1:${letterOf(columns.length - 1)}${rows.length + 1}"/>`;
}

function choicesOf({ columns, rows }: WorkbookSheet): string {
  const lists = columns.flatMap(({ choices }, index) => {
    if (choices === undefined) return [];
    const letter = letterOf(index);
    const place = `sqref="${letter}2:${letter}${rows.length + 1}"`;
    return [`<dataValidation type="list" allowBlank="1" ${place}><formula1>${choices}</formula1></dataValidation>`];
  });
  return lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
}

/** `A` for 0, `AA` for 26. */
function letterOf(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : `${letterOf(Math.floor(index / 26) - 1)}${rest}`;
}

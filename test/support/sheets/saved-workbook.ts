import writeXlsxFile, { type Cell, type Image, type Sheet } from 'write-excel-file/node';

/** A workbook as another program saves it: written by hand, with what the export never writes. */
export function savedWorkbook(
  data: Cell[][],
  { hidden = [], filter, before = [], date1904 = false }: SavedParts = {},
): Promise<Buffer> {
  const sheet: Sheet<Image['content']> = { sheet: 'exceptions', data };
  return writeXlsxFile([...before.map((name) => ({ sheet: name, data: [['a', 'b']] })), sheet], {
    features: [
      {
        files: {
          transform: {
            'xl/workbook.xml': {
              transform: (xml) => (date1904 ? xml.replace('<workbookPr/>', '<workbookPr date1904="1"/>') : xml),
            },
            'xl/worksheets/sheet{id}.xml': {
              transform: (xml) =>
                xml
                  .replace(/<row r="(\d+)"/g, (tag, row) => (hidden.includes(Number(row)) ? `${tag} hidden="1"` : tag))
                  .replace('</sheetData>', filter === undefined ? '</sheetData>' : `</sheetData>${filter}`),
            },
          },
        },
      },
    ],
  }).toBuffer();
}

interface SavedParts {
  /** Rows from 1. */
  readonly hidden?: readonly number[];
  /** XML of a filter that was left on. */
  readonly filter?: string;
  /** Sheets that stand before it. */
  readonly before?: readonly string[];
  readonly date1904?: boolean;
}

import { unpack, zipEntries } from './zip.ts';

/** The sheets of a workbook. */
export interface WorkbookParts {
  /** In the order in which the program shows them. */
  readonly names: readonly string[];
  /** The XML of a sheet; empty when it is not where the workbook says. Ask once the file was judged to be no bomb. */
  readonly xmlOf: (index: number) => string;
}

/** Of the list of sheets, which is read before the file was judged. */
const MOST_BYTES = 1024 * 1024;
const SHEET = /<(?:\w+:)?sheet\s([^>]*)>/g;
const RELATION = /<(?:\w+:)?Relationship\s([^>]*)>/g;

/** Finds the sheets of an XLSX file; a file that is none has no sheets: the reader of its rows says why. */
export function workbookParts(bytes: Buffer): WorkbookParts {
  const entries = zipEntries(bytes);
  const xml = (name: string, most: number): string => {
    const entry = Array.isArray(entries) ? entries.find((one) => one.name === name) : undefined;
    const unpacked = entry === undefined || entry.unpackedBytes > most ? undefined : unpack(bytes, entry);
    return Buffer.isBuffer(unpacked) ? unpacked.toString('utf8') : '';
  };
  const sheets = attributesIn(xml('xl/workbook.xml', MOST_BYTES), SHEET).filter(
    ({ name }) => name !== undefined && name !== '',
  );
  const targets = new Map(
    attributesIn(xml('xl/_rels/workbook.xml.rels', MOST_BYTES), RELATION).map(({ id, target }) => [id, target ?? '']),
  );
  return {
    names: sheets.map(({ name = '' }) => name),
    xmlOf: (index) => {
      const target = targets.get(sheets[index]?.id) ?? '';
      return xml(target.startsWith('/') ? target.slice(1) : `xl/${target}`, Number.POSITIVE_INFINITY);
    },
  };
}

const ATTRIBUTE = /(?:^|\s)(?:\w+:)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOf(xml: string): string {
  return xml.replace(ENTITY, (_, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
    if (name !== undefined) return ENTITIES[name] ?? '';
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0x10ffff ? '' : String.fromCodePoint(point);
  });
}

/** Attributes by their names without prefix, in small letters. */
function attributesIn(xml: string, tag: RegExp): Partial<Record<string, string>>[] {
  return [...xml.matchAll(tag)].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', quoted, single]) => [
        name.toLowerCase(),
        textOf(quoted ?? single ?? ''),
      ]),
    ),
  );
}

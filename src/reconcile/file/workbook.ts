import { posix } from 'node:path';
import { cellTextOf, SharedTexts, withPiece } from './cell-texts.ts';
import type { Counter } from './limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';
import { isBuiltInDate, isDateFormat } from './workbook-dates.ts';
import { type Attributes, XmlError, type XmlListener, xmlPieces } from './xml.ts';
import { openZip } from './zip.ts';

/** A workbook whose list of sheets has been read. */
export interface Workbook {
  /** In the order in which the program shows them, hidden ones too. */
  readonly sheets: readonly Sheet[];
  /** Reads what its cells refer to. Throws StatementFileError. */
  readonly references: () => Promise<References>;
  /** Reads a part; gives the share of it that has been read after each piece, from 0 to 1. Throws StatementFileError. */
  readonly read: (part: string, listener: XmlListener) => AsyncGenerator<number>;
}

export interface Sheet {
  readonly name: string;
  /** The part of its cells; null: it has none, such as a chart. */
  readonly part: string | null;
}

/** What cells refer to by number. */
export interface References {
  readonly texts: SharedTexts;
  /** For each format of cells, whether it shows a day or a time. */
  readonly isDate: readonly boolean[];
  /** Days count from 1904. */
  readonly is1904: boolean;
}

/** Cells are in the part that a relation of this kind names. */
const SHEET = 'worksheet';
const BOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';
/** What the types of relations begin with, in the two editions of the format. */
const RELATION_TYPES = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/',
];
const MOST_SHEETS = 10_000;
/** Formats of cells: programs take 65,490. */
const MOST_FORMATS = 100_000;

/** Opens a workbook. @throws StatementFileError for one that is damaged, or beyond a limit */
export async function openWorkbook(file: OpenedFile, counter: Counter): Promise<Workbook> {
  const zip = await openZip(file, counter);
  async function* read(part: string, listener: XmlListener): AsyncGenerator<number> {
    const bytes = zip.part(part);
    if (bytes === null) throw unreadable(file.name, `${JSON.stringify(part)} is missing`);
    const whole = zip.bytesOf(part);
    try {
      for await (const done of xmlPieces(bytes, listener)) yield done / whole;
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      throw unreadable(file.name, `${JSON.stringify(part)} is no sound XML: ${error.message}`, error);
    }
  }
  const whole = async <Listener extends XmlListener>(part: string, listener: Listener): Promise<Listener> => {
    for await (const _share of read(part, listener)) {
      // Only the listener is called.
    }
    return listener;
  };
  const { parts } = await whole(RELATIONS, new Relations());
  const { sheets, is1904 } = await whole(BOOK, new Book());
  const named = (kind: string) => [...parts.values()].find((one) => one.kind === kind)?.part ?? null;
  const isThere = (part: string | null): part is string => part !== null && zip.part(part) !== null;
  return {
    sheets: sheets.map(({ name, id }) => {
      const found = parts.get(id);
      return { name, part: found?.kind === SHEET ? found.part : null };
    }),
    async references() {
      const texts = named('sharedStrings') ?? 'xl/sharedStrings.xml';
      const styles = named('styles') ?? 'xl/styles.xml';
      const shared = new Texts(file.name, zip.bytesOf(texts), counter.limits.sharedBytes);
      const formats = new Formats();
      if (isThere(texts)) await whole(texts, shared);
      if (isThere(styles)) await whole(styles, formats);
      return { texts: shared.texts, isDate: formats.isDate(), is1904 };
    },
    read,
  };
}

/** Why a workbook cannot be read. */
export function unreadable(file: string, why: string, cause?: unknown): StatementFileError {
  const cure = 'Save it again as XLSX, or as CSV.';
  return new StatementFileError(file, {}, `cannot be read as a spreadsheet: ${why}`, cure, cause);
}

/** The parts of a workbook by the ids of their relations. */
class Relations implements XmlListener {
  readonly parts = new Map<string, { readonly kind: string; readonly part: string }>();

  open(name: string, { Id, Type = '', Target = '', TargetMode }: Attributes): void {
    if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return;
    const edition = RELATION_TYPES.find((begin) => Type.startsWith(begin));
    if (edition === undefined) return;
    if (this.parts.has(Id)) throw new XmlError(`it has two relations ${JSON.stringify(Id)}`);
    const part = Target.startsWith('/') ? Target.slice(1) : posix.normalize(`xl/${Target}`);
    this.parts.set(Id, { kind: Type.slice(edition.length), part });
    if (this.parts.size > MOST_SHEETS) throw new XmlError(`it has more than ${MOST_SHEETS} relations`);
  }

  text(): void {}
  close(): void {}
}

/** The list of sheets, with the ids of their relations. */
class Book implements XmlListener {
  readonly sheets: { readonly name: string; readonly id: string }[] = [];
  is1904 = false;
  #isSet = false;

  open(name: string, attributes: Attributes, depth: number): void {
    // A second one is ignored, as spreadsheet programs do.
    if (name === 'workbookPr' && depth === 2 && !this.#isSet) {
      this.#isSet = true;
      this.is1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
    }
    if (name !== 'sheet' || depth !== 3 || (attributes.name ?? '') === '') return;
    const [, id = ''] = Object.entries(attributes).find(([key]) => /^(?:\w+:)?id$/.test(key)) ?? [];
    this.sheets.push({ name: cellTextOf(attributes.name ?? ''), id });
    if (this.sheets.length > MOST_SHEETS) throw new XmlError(`it has more than ${MOST_SHEETS} sheets`);
  }

  text(): void {}
  close(): void {}
}

/** Shared texts: `<si><t>…</t></si>`, or in pieces of one look each, `<si><r><t>…</t></r><r>…</si>`. */
class Texts implements XmlListener {
  readonly texts: SharedTexts;
  readonly #file: string;
  readonly #most: number;
  readonly #rich = new RichText(2);

  constructor(file: string, partBytes: number, most: number) {
    this.#file = file;
    this.#most = most;
    this.texts = new SharedTexts(partBytes, most);
  }

  open(name: string, _attributes: Attributes, depth: number): void {
    if (depth === 1 && name !== 'sst') throw new XmlError(`its root is <${name}>`);
    this.#rich.open(name, depth);
  }

  text(text: string): void {
    this.#rich.text(text);
  }

  close(name: string, depth: number): void {
    this.#rich.close(name);
    if (depth !== 2 || name !== 'si') return;
    if (this.texts.add(this.#rich.take())) return;
    const what = `has texts of more than ${this.#most} bytes that its cells share`;
    throw new StatementFileError(this.#file, {}, what, 'Save the sheet as CSV: files of any size are read from that.');
  }
}

/** The text of an element with `<t>` or `<r><t>` in it; what shows how to pronounce it, `<rPh>`, is none of it. */
export class RichText {
  readonly #depth: number;
  #text = '';
  #isOpen = false;
  #isPiece = false;

  /** `depth` of the element. */
  constructor(depth: number) {
    this.#depth = depth;
  }

  open(name: string, depth: number): void {
    if (depth === this.#depth + 1) this.#isPiece = name === 'r';
    this.#isOpen = name === 't' && (depth === this.#depth + 1 || (depth === this.#depth + 2 && this.#isPiece));
  }

  text(text: string): void {
    if (this.#isOpen) this.#text = withPiece(this.#text, text);
  }

  close(name: string): void {
    if (name === 't') this.#isOpen = false;
  }

  take(): string {
    const text = cellTextOf(this.#text);
    this.#text = '';
    return text;
  }
}

/** The formats of cells: each names a format of numbers. */
class Formats implements XmlListener {
  /** Formats of numbers that are the workbook's own, and whether they show a date. */
  readonly #own = new Map<number, boolean>();
  readonly #base: (number | null)[] = [];
  readonly #cells: { readonly format: number | null; readonly base: number | null }[] = [];
  #section = '';

  open(name: string, attributes: Attributes, depth: number): void {
    if (depth === 2) this.#section = name;
    if (depth !== 3) return;
    const { numFmtId, formatCode = '', xfId } = attributes;
    const format = numFmtId === undefined || numFmtId === '' ? null : Number(numFmtId);
    if (name === 'numFmt' && this.#section === 'numFmts' && format !== null) {
      // Programs write their own names of formats that every program knows, in the language of the computer.
      if (format >= FIRST_OWN) this.#own.set(format, isDateFormat(formatCode));
    } else if (name === 'xf' && this.#section === 'cellStyleXfs') this.#base.push(format);
    else if (name === 'xf' && this.#section === 'cellXfs') {
      this.#cells.push({ format, base: xfId === undefined ? null : Number(xfId) });
    }
    const count = this.#own.size + this.#base.length + this.#cells.length;
    if (count > MOST_FORMATS) throw new XmlError(`it has more than ${MOST_FORMATS} formats`);
  }

  text(): void {}
  close(): void {}

  isDate(): boolean[] {
    return this.#cells.map(({ format, base }) => {
      const used = format ?? (base === null ? null : (this.#base[base] ?? null));
      return used !== null && (isBuiltInDate(used) || (this.#own.get(used) ?? false));
    });
  }
}

/** Below, formats of numbers are those that every program knows. */
const FIRST_OWN = 100;

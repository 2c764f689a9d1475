import { TextDecoder } from 'node:util';

/*
 * XML as the parts of a workbook have it, read piece by piece: what is held is one tag, however long the part is. A part that is no
 * such XML stops at the first mistake: nothing of it is guessed. Namespaces are left out: names come without their prefix.
 */

/** The attributes of an element, by their names as they are written. */
export type Attributes = Readonly<Record<string, string>>;

/** Called for each piece of a part, in order. A text may come in several pieces. */
export interface XmlListener {
  /** `depth` of the element from 1. */
  open(name: string, attributes: Attributes, depth: number): void;
  text(text: string): void;
  /** `depth` of the element that ends. */
  close(name: string, depth: number): void;
}

/** What is wrong with a part; follows "it is no XML: ". */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Characters of a tag: a cell's has some 40. */
const LONGEST_TAG = 64 * 1024;
/** Elements within each other: a workbook has a dozen. */
const MOST_DEPTH = 100;
/** Characters of `&#x10FFFF;`, with room for leading zeros. */
const LONGEST_ENTITY = 16;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NO_ATTRIBUTES: Attributes = {};

/** What ends each kind of markup that is no element, by how it begins. */
const SKIPPED = { '<?': '?>', '<!--': '-->' } as const;
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/**
 * Reads the bytes of a part to its end; gives the number of bytes read after each piece, so that a caller hands on meanwhile what it has.
 * @throws XmlError at the first mistake
 */
export async function* xmlPieces(bytes: AsyncIterable<Uint8Array>, listener: XmlListener): AsyncGenerator<number> {
  const reader = new XmlReader(listener);
  let decoder: TextDecoder | null = null;
  let read = 0;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    reader.write(decoded(decoder, piece));
    read += piece.length;
    yield read;
  }
  if (decoder !== null) reader.write(decoded(decoder, null));
  reader.end();
}

/** XML is UTF-8 unless it begins with the mark of UTF-16. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decoded(decoder: TextDecoder, piece: Uint8Array | null): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw new XmlError(`it has bytes that are no ${decoder.encoding}`);
  }
}

class XmlReader {
  readonly #listener: XmlListener;
  /** The names of the open elements as they are written, and without their prefix. */
  readonly #open: string[] = [];
  readonly #names: string[] = [];
  /** A tag or an entity that has begun. */
  #rest = '';
  /** What ends the comment, instruction or character data that has begun. */
  #until: string | null = null;
  #hasRoot = false;

  constructor(listener: XmlListener) {
    this.#listener = listener;
  }

  write(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (let next = 0; at < text.length; at = next) {
      next = this.#until !== null ? this.#within(text, at, this.#until) : this.#next(text, at);
      if (next < 0) break;
    }
    this.#rest = at === 0 ? text : text.slice(at);
    if (this.#rest.length > LONGEST_TAG) throw new XmlError(`a tag has more than ${LONGEST_TAG} characters`);
  }

  end(): void {
    if (this.#rest !== '' || this.#until !== null || this.#open.length > 0) throw new XmlError('it ends early');
    if (!this.#hasRoot) throw new XmlError('it is empty');
  }

  /** Reads a text or a tag; returns where it ends, or -1 when the piece ends before it. */
  #next(text: string, at: number): number {
    if (text.charCodeAt(at) !== LESS) return this.#text(text, at);
    const code = text.charCodeAt(at + 1);
    if (code === SLASH) return this.#close(text, at);
    if (code !== EXCLAMATION && code !== QUESTION) return this.#tag(text, at);
    for (const [begin, end] of Object.entries(SKIPPED)) {
      if (!text.startsWith(begin, at)) continue;
      this.#until = end;
      return at + begin.length;
    }
    if (text.startsWith(CDATA, at) && this.#open.length > 0) {
      this.#until = CDATA_END;
      return at + CDATA.length;
    }
    if (text.length - at < CDATA.length) return -1;
    throw new XmlError(`it has ${JSON.stringify(text.slice(at, at + CDATA.length))}`);
  }

  /** Inside of a comment, an instruction or character data. */
  #within(text: string, at: number, until: string): number {
    const found = text.indexOf(until, at);
    // The end may have begun.
    const end = found < 0 ? Math.max(text.length - until.length + 1, at) : found;
    if (until === CDATA_END && end > at) this.#listener.text(text.slice(at, end));
    if (found < 0) return end > at ? end : -1;
    this.#until = null;
    return found + until.length;
  }

  #text(text: string, at: number): number {
    const found = text.indexOf('<', at);
    let end = found < 0 ? text.length : found;
    if (found < 0) {
      const entity = text.lastIndexOf('&');
      if (entity >= at && text.length - entity < LONGEST_ENTITY && !text.includes(';', entity)) end = entity;
      if (end === at) return -1;
    }
    const said = text.slice(at, end);
    if (this.#open.length > 0) this.#listener.text(decodedText(said));
    else if (said.trim() !== '') throw new XmlError('it has text outside of its elements');
    return end;
  }

  #close(text: string, at: number): number {
    const end = text.indexOf('>', at);
    if (end < 0) return -1;
    const depth = this.#open.length;
    const name = text.slice(at + 2, end).trimEnd();
    if (name !== this.#open.pop()) throw new XmlError(`</${shown(name)}> ends another element than the last one`);
    this.#listener.close(this.#names.pop() ?? '', depth);
    return end + 1;
  }

  #tag(text: string, at: number): number {
    let end = nameEnd(text, at + 1);
    const name = text.slice(at + 1, end);
    let attributes = NO_ATTRIBUTES;
    for (;;) {
      const from = end;
      end = blanksEnd(text, end);
      const code = text.charCodeAt(end);
      if (Number.isNaN(code)) return -1;
      if (code === GREATER) return this.#opened(name, attributes, end + 1);
      if (code === SLASH) {
        if (end + 1 === text.length) return -1;
        if (text.charCodeAt(end + 1) !== GREATER) throw new XmlError(`<${shown(name)} is no tag`);
        this.#opened(name, attributes, end);
        this.#open.pop();
        this.#listener.close(this.#names.pop() ?? '', this.#open.length + 1);
        return end + 2;
      }
      const named = nameEnd(text, end);
      if (named === text.length) return -1;
      const equals = blanksEnd(text, named);
      const quote = blanksEnd(text, equals + 1);
      if (quote >= text.length) return -1;
      const sign = text.charAt(quote);
      const isAttribute = end > from && named > end && text.charCodeAt(equals) === EQUALS;
      if (!isAttribute || (sign !== '"' && sign !== "'")) throw new XmlError(`<${shown(name)} is no tag`);
      const valueEnd = text.indexOf(sign, quote + 1);
      if (valueEnd < 0) return -1;
      const value = text.slice(quote + 1, valueEnd);
      if (value.includes('<')) throw new XmlError(`<${shown(name)} has < in a value`);
      const key = text.slice(end, named);
      if (attributes === NO_ATTRIBUTES) attributes = {};
      if (Object.hasOwn(attributes, key)) throw new XmlError(`<${shown(name)} has ${shown(key)} twice`);
      (attributes as Record<string, string>)[key] = decodedText(value);
      end = valueEnd + 1;
    }
  }

  #opened(name: string, attributes: Attributes, next: number): number {
    if (name === '') throw new XmlError('it has < without a name');
    if (this.#open.length === 0 && this.#hasRoot) throw new XmlError('it has two roots');
    if (this.#open.length === MOST_DEPTH) throw new XmlError(`it has more than ${MOST_DEPTH} elements in each other`);
    this.#hasRoot = true;
    const local = name.slice(name.indexOf(':') + 1);
    this.#open.push(name);
    this.#names.push(local);
    this.#listener.open(local, attributes, this.#open.length);
    return next;
  }
}

const [LESS, GREATER, SLASH, EQUALS, EXCLAMATION, QUESTION] = [60, 62, 47, 61, 33, 63];

/** Returns where a name ends: at a blank or a sign that no name has. */
function nameEnd(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code > 32; code = text.charCodeAt(++at)) {
    const isSign = code === GREATER || code === SLASH || code === EQUALS || code === LESS || code === 34 || code === 39;
    if (isSign) return at;
  }
  return at;
}

function blanksEnd(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(++at));
  return at;
}

const ENTITY = /&([^;&]{0,16}(?:;|$)|)/g;
const NUMBERED = /^#(?:(\d{1,8})|x([\da-fA-F]{1,8}));$/;

function decodedText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, entity: string) => {
    const known = ENTITIES[entity.slice(0, -1)];
    if (known !== undefined && entity.endsWith(';')) return known;
    const [, decimal, hex] = NUMBERED.exec(entity) ?? [];
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const isSign = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    if (!isSign) throw new XmlError(`it has ${JSON.stringify(whole)}`);
    return String.fromCodePoint(point);
  });
}

function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

// Bodies that a delivery may have had before a proxy rewrote it. They explain a failed signature and never accept one.

export interface BodyVariant {
  /** Completes the sentence "The signature is right for this body …". */
  readonly description: string;
  readonly kind: 'line_ending' | 'byte_order_mark' | 'base64' | 'json';
  readonly bytes: Uint8Array;
}

/** Yields every variant that differs from the body, the likeliest first. Bodies over 1 MiB are not re-encoded. */
export function* bodyVariants(rawBody: Uint8Array): Generator<BodyVariant> {
  const body = Buffer.from(rawBody);
  for (const variants of [lineEndings, byteOrderMarks, decodedBase64, jsonEncodings]) {
    for (const variant of variants(body)) if (!body.equals(variant.bytes)) yield variant;
  }
}

function* lineEndings(body: Buffer): Generator<BodyVariant> {
  const text = body.toString('latin1'); // one character per byte, so nothing but the line ends can change
  const variant = (changed: string, description: string): BodyVariant => {
    return { kind: 'line_ending', description, bytes: Buffer.from(changed, 'latin1') };
  };
  yield variant(text.replace(/\r?\n$/, ''), 'without its trailing line break');
  yield variant(text.trim(), 'without the white space around it');
  yield variant(`${text}\n`, 'with a trailing line break (LF)');
  yield variant(`${text}\r\n`, 'with a trailing line break (CRLF)');
  yield variant(text.replaceAll('\r\n', '\n'), 'with LF instead of CRLF line breaks');
  yield variant(text.replace(/\r?\n/g, '\r\n'), 'with CRLF instead of LF line breaks');
}

function* byteOrderMarks(body: Buffer): Generator<BodyVariant> {
  const marked = body.subarray(0, 3).equals(BYTE_ORDER_MARK);
  yield marked
    ? { kind: 'byte_order_mark', description: 'without its byte order mark', bytes: body.subarray(3) }
    : { kind: 'byte_order_mark', description: 'with a byte order mark', bytes: Buffer.concat([BYTE_ORDER_MARK, body]) };
}

function* decodedBase64(body: Buffer): Generator<BodyVariant> {
  const text = body.toString('latin1').trim();
  if (text.length < 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return;
  yield { kind: 'base64', description: 'decoded from base64', bytes: Buffer.from(text, 'base64') };
}

/** Yields the same JSON in the forms of common encoders; tokens keep their order and numbers their digits. */
function* jsonEncodings(body: Buffer): Generator<BodyVariant> {
  const tokens = body.length <= LARGEST_REENCODED_BYTES ? jsonTokens(body.toString('utf8')) : null;
  if (tokens === null) return;
  for (const [spacing, layout] of LAYOUTS) {
    for (const unicode of UNICODE_STYLES) {
      for (const escapedSlash of [true, false]) {
        const text = layout(tokens.map((token) => (token[0] === '"' ? quoted(token, unicode, escapedSlash) : token)));
        const description = `as ${spacing} JSON with ${UNICODE_NAMES[unicode]} and ${escapedSlash ? '\\/' : 'a plain /'}`;
        yield { kind: 'json', description, bytes: Buffer.from(text) };
        const withBreak = `${description} and a trailing line break`;
        yield { kind: 'json', description: withBreak, bytes: Buffer.from(`${text}\n`) };
      }
    }
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LARGEST_REENCODED_BYTES = 1024 * 1024;
const UNICODE_STYLES = ['lower', 'upper', 'plain'] as const;
const UNICODE_NAMES = { lower: '\\uxxxx escapes', upper: '\\uXXXX escapes', plain: 'plain UTF-8' } as const;

const LAYOUTS: readonly (readonly [string, (tokens: readonly string[]) => string])[] = [
  ['compact', (tokens) => tokens.join('')],
  [
    'one-line spaced',
    (tokens) => tokens.map((token) => (token === ',' || token === ':' ? `${token} ` : token)).join(''),
  ],
  ['two-space indented', (tokens) => indented(tokens, '  ')],
  ['four-space indented', (tokens) => indented(tokens, '    ')],
  ['tab indented', (tokens) => indented(tokens, '\t')],
];

/** Returns the tokens of a JSON text, or null for other text. Not parsed into objects, which reorder and merge keys. */
function jsonTokens(text: string): string[] | null {
  const bare = text.replace(/^\ufeff/, '');
  try {
    JSON.parse(bare);
  } catch {
    return null;
  }
  return bare.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
}

function quoted(token: string, unicode: (typeof UNICODE_STYLES)[number], escapedSlash: boolean): string {
  const plain = JSON.stringify(JSON.parse(token));
  const slashed = escapedSlash ? plain.replaceAll('/', '\\/') : plain;
  if (unicode === 'plain') return slashed;
  return slashed.replace(/[\u0080-\uffff]/g, (character) => {
    const digits = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${unicode === 'upper' ? digits.toUpperCase() : digits}`;
  });
}

function indented(tokens: readonly string[], unit: string): string {
  let depth = 0;
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const empty = (token === '}' || token === ']') && /^[{[]$/.test(tokens[index - 1] ?? '');
    if (token === '}' || token === ']') depth--;
    if ((token === '}' || token === ']') && !empty) text += `\n${unit.repeat(depth)}`;
    text += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    const opensEmpty = (token === '{' || token === '[') && /^[}\]]$/.test(tokens[index + 1] ?? '');
    if ((token === ',' || token === '{' || token === '[') && !opensEmpty) text += `\n${unit.repeat(depth)}`;
  }
  return text;
}

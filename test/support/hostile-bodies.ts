const MEBIBYTE = 1024 * 1024;

/** Bodies of one mebibyte, made to cost as much as they can: what each is full of, and its text. */
export const HOSTILE_BODIES: readonly [name: string, text: string][] = [
  ['quotes', filled('"', '\\"', '"')],
  ['backslashes', filled('"', '\\\\', '"')],
  ['unterminated quotes', '"'.repeat(MEBIBYTE)],
  ['members', filled('{', (at) => `"${at.toString(36)}":0,`, '"-":0}')],
  ['numeric names', filled('{', (at) => `"${at * 7_919}":"",`, '"-":0}')],
  ['the most members, with long names', filled('{', (at) => `"${'n'.repeat(80)}${at}":0.0,`, '"-":0}', 9_990)],
  ['equal names', filled('{', '"a":0,', '"a":0}')],
  ['numbers', filled('[', '1,', '1]')],
  ['the most numbers', filled('[', '0.0000000000000000000000000000000001,', '1]', 9_990)],
  ['digits', `{"a":${'1'.repeat(MEBIBYTE - 10)}}`],
  ['zeros that end in a one', `{"a":1${'0'.repeat(MEBIBYTE - 10)}1}`],
  ['a fraction of zeros', `{"a":0.${'0'.repeat(MEBIBYTE - 10)}1}`],
  ['an exponent', `{"a":1e${'9'.repeat(MEBIBYTE - 10)}}`],
  ['an exponent of zeros', `{"a":1e${'0'.repeat(MEBIBYTE - 10)}1}`],
  ['depth', '['.repeat(MEBIBYTE)],
  ['towers of lists', filled('[', `${'['.repeat(60)}${']'.repeat(60)},`, '0]')],
  ['escapes', filled('"', '\\u0061', '"')],
  [
    'a long amount',
    `{"event":"refund.pending","data":{"refund_reference":"R","amount":"${'0'.repeat(MEBIBYTE - 90)}"}}`,
  ],
  [
    'a long time',
    `{"event":"refund.pending","data":{"refund_reference":"R","updated_at":"${'0'.repeat(MEBIBYTE - 90)}"}}`,
  ],
  ['white space', ' '.repeat(MEBIBYTE)],
];

function filled(head: string, unit: string | ((at: number) => string), tail: string, most = MEBIBYTE): string {
  const parts = [head];
  for (let at = 0, length = head.length + tail.length; at < most; at++) {
    const part = typeof unit === 'string' ? unit : unit(at);
    length += part.length;
    if (length > MEBIBYTE) break;
    parts.push(part);
  }
  return parts.join('') + tail;
}

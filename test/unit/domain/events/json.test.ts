import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalDigest,
  encryptedPayload,
  isObject,
  type Json,
  type JsonObject,
  MAX_DEPTH,
  MAX_VALUES,
  member,
  NumberToken,
  numberText,
  type ParsedBody,
  parseBody,
  sha256,
} from '../../../../src/domain/events/json.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';

const parse = (text: string): ParsedBody => parseBody(Buffer.from(text));

function read(text: string): Json {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`${parsed.fault}: ${text.slice(0, 80)}`);
  return parsed.value;
}

const digestOf = (text: string): string => canonicalDigest(read(text));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('what is refused, and why', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'syntax'],
    ['white space', ' \n', 'syntax'],
    ['a word', 'hello', 'syntax'],
    ['a trailing comma', '{"a":1,}', 'syntax'],
    ['two documents', '{} {}', 'syntax'],
    ['single quotes', "{'a':1}", 'syntax'],
    ['a comment', '{} // no', 'syntax'],
    ['a leading zero', '[01]', 'syntax'],
    ['a plus sign', '[+1]', 'syntax'],
    ['a bare point', '[1.]', 'syntax'],
    ['NaN', '[NaN]', 'syntax'],
    ['a raw line break in a string', '["a\nb"]', 'syntax'],
    ['a raw NUL in a string', '["a\0b"]', 'syntax'],
    ['an unknown escape', '["\\x41"]', 'syntax'],
    ['an unterminated string', '{"a', 'syntax'],
    ['an unterminated object', '{"a":1', 'syntax'],
    ['a second BOM', '\ufeff\ufeff{}', 'syntax'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'encoding'],
    ['an overlong slash', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'encoding'],
    ['a surrogate written as UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'encoding'],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'encoding'],
    ['65 levels', nested(MAX_DEPTH + 1), 'depth'],
    ['200 levels', nested(200), 'depth'],
    ['a million levels', '['.repeat(1_000_000), 'depth'],
    ['10,001 elements', `[${'0,'.repeat(MAX_VALUES)}0]`, 'size'],
    ['equal names', '{"a":1,"a":1}', 'duplicate_keys'],
    ['equal names, one escaped', '{"a":1,"\\u0061":2}', 'duplicate_keys'],
    ['equal names far down', '{"a":[{"b":{"c":1,"d":2,"c":3}}]}', 'duplicate_keys'],
    ['equal names among objects', '{"a":{"x":{}},"a":{"x":{}}}', 'duplicate_keys'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'duplicate_keys'],
    ['equal numeric names', '{"1":"a","1":"b"}', 'duplicate_keys'],
  ])('%s', (_name, body, fault) => {
    expect(parseBody(typeof body === 'string' ? Buffer.from(body) : body)).toEqual({ ok: false, fault });
  });

  test('64 levels and 9,000 elements are read', () => {
    expect(parse(nested(MAX_DEPTH)).ok).toBe(true);
    expect(parse(`[${'0,'.repeat(9_000)}0]`).ok).toBe(true);
  });

  test('brackets, commas and colons inside strings count for nothing', () => {
    const text = JSON.stringify({ a: '[{'.repeat(500), b: ':,'.repeat(20_000), c: '\\"[:', d: '\\\\' });
    expect(parse(text).ok).toBe(true);
    // Strings that end in one, two and three escaped backslashes, before one that holds more colons than it may.
    for (const backslashes of ['\\', '\\\\', '\\\\\\']) {
      expect(parse(JSON.stringify({ a: backslashes, b: ':::', c: `${backslashes}"::[` })).ok).toBe(true);
    }
  });
});

describe('beside JSON.parse', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"b":',
    '"a":1',
    '\\',
    '\\u00',
    '0',
    '-',
    '1.5',
    'e3',
    '01',
    'null',
    'tru',
    ' ',
    '\t',
  ];
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(''));
  const broken = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ...pieces))
    .map(([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice((at % text.length) + 1));

  test('the same texts are JSON, and mean the same', () => {
    const seen = { ok: 0, syntax: 0, duplicate_keys: 0, encoding: 0, depth: 0, size: 0 };
    fc.assert(
      fc.property(fc.oneof(soup, broken), (text) => {
        const parsed = parse(text);
        seen[parsed.ok ? 'ok' : parsed.fault]++;
        const expected = reference(text);
        if (parsed.ok) expect(JSON.stringify(parsed.value, asNumbers)).toBe(expected);
        else if (parsed.fault === 'syntax') expect(expected).toBeNull();
        else expect(parsed.fault).toBe('duplicate_keys');
      }),
      { numRuns: randomRuns(5_000) },
    );
    expect(seen.ok).toBeGreaterThan(leastMet(200));
    expect(seen.syntax).toBeGreaterThan(leastMet(200));
  });

  const reference = (text: string): string | null => {
    try {
      return JSON.stringify(JSON.parse(text));
    } catch {
      return null;
    }
  };
  /** A token writes itself as its digits; `reference` as the number that they mean. */
  const asNumbers = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'rawJSON' in value ? Number(value.rawJSON) : value;
});

describe('what is kept', () => {
  test('numbers keep their own digits', () => {
    const sources = ['1.10', '90071992547409.93', '1e3', '1E+2', '-0', '0.0', '1e400', '9'.repeat(10_000)];
    const value = read(`[${sources.join(',')}]`) as NumberToken[];
    expect(value.every((one) => one instanceof NumberToken)).toBe(true);
    expect(value.map((one) => one.source)).toEqual(sources);
    expect(read('{"n":{"m":[1.50]}}')).toEqual({ n: { m: [new NumberToken('1.50')] } });
    expect(read(' 7 ')).toEqual(new NumberToken('7'));
    expect(read('{"n":0.00}')).toEqual({ n: new NumberToken('0.00') });
  });

  test('a leading BOM is dropped, a later one is content', () => {
    expect(read('\ufeff{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
  });

  test('a string of digits is no number', () => {
    expect(read('{"a":"1.10","b":1}')).toEqual({ a: '1.10', b: new NumberToken('1') });
  });

  test('__proto__ and constructor are names like any other and reach no prototype', () => {
    const value = read('{"__proto__":{"polluted":"yes"},"n":1}') as JsonObject;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(member(value, '__proto__')).toEqual({ polluted: 'yes' });
    expect(member(value, 'polluted')).toBeUndefined();
    expect(member(value, 'constructor')).toBeUndefined();
    expect(member(value, 'toString')).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('lone surrogates and NUL, escaped, arrive as they are', () => {
    expect(read('["\\ud800","\\u0000"]')).toEqual(['\ud800', '\0']);
  });

  test('an object is neither null, a list nor a number', () => {
    expect([{}, null, [], new NumberToken('1'), 'a', true, undefined].map(isObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the canonical digest', () => {
  test.each([
    ['spacing', '{"a":[1,2]}', ' {\n"a" : [ 1 ,\t2 ] }\r\n'],
    ['order of names', '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ['escaped slashes', '{"a":"x/y"}', '{"a":"x\\/y"}'],
    ['escaped letters', '{"naïve":"₦😀"}', '{"na\\u00efve":"\\u20A6\\ud83d\\uDE00"}'],
    ['escaped names', '{"a":1}', '{"\\u0061":1}'],
    ['line breaks', '["\\n\\u0000"]', '["\\u000a\\u0000"]'],
    ['a BOM', '{"a":1}', '\ufeff{"a":1}'],
    ['exponents', '[1000,1000,1000,1000,1000]', '[1e3,1000.0,1E+3,10.00e2,100000e-2]'],
    ['exponents with zeros', '[1000,1]', '[1e0000000000000000000003,1e-00000000000000000000]'],
    ['fractions', '[1.10,0.001]', '[1.1,1e-3]'],
    ['zeros', '[0,0,0,0,0]', '[-0,0.0,0e999999999,-0.00E-7,0e99999999999999999999]'],
    ['exponents that are too long to add', `[1e${'9'.repeat(1_001)}]`, `[1E${'9'.repeat(1_001)}]`],
    ['long exponents', '[1e99999999999999999999]', '[10E+99999999999999999998]'],
    ['ten thousand digits', `[${'9'.repeat(10_000)}]`, `[${'9'.repeat(9_999)}.9e1]`],
  ])('is the same across %s', (_name, one, other) => {
    expect(digestOf(one)).toBe(digestOf(other));
  });

  test.each([
    ['a number and its text', '[1]', '["1"]'],
    ['null and its text', '[null]', '["null"]'],
    ['null and absence', '{"a":null}', '{}'],
    ['an empty list and an empty object', '[]', '{}'],
    ['order of a list', '[1,2]', '[2,1]'],
    ['nesting', '[[1],2]', '[1,[2]]'],
    ['signs', '[1]', '[-1]'],
    ['neighbouring doubles', '[90071992547409.93]', '[90071992547409.94]'],
    ['digits beyond a double', '[0.1]', '[0.10000000000000000001]'],
    ['powers', '[1e400]', '[1e401]'],
    ['lone surrogates', '["\\ud800"]', '["\\ud801"]'],
    ['a lone surrogate and its text', '["\\ud800"]', '["\\\\ud800"]'],
    ['case', '["a"]', '["A"]'],
    ['composed and decomposed letters', '["é"]', '["e\u0301"]'],
    ['a name and a value', '{"a":"b"}', '{"b":"a"}'],
    ['text that looks like structure', '["a,b"]', '["a","b"]'],
  ])('differs for %s', (_name, one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other));
  });

  test('any document re-encoded at random has the same digest, and a changed one another', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3, noUnicodeString: false }),
        fc.infiniteStream(fc.nat(3)),
        (value, choices) => {
          const plain = JSON.stringify(value);
          const digest = digestOf(plain);
          expect(digestOf(reencoded(value, choices))).toBe(digest);
          expect(digestOf(`[${plain}]`)).not.toBe(digest);
        },
      ),
      { numRuns: randomRuns(500) },
    );
  });

  test('is the sha256 of one stated text, so that other programs can compute it', () => {
    expect(digestOf('{"b":[1.50,true,null],"a":"é/"}')).toBe(sha256('{"a":"é/","b":[15e-1,true,null]}'));
  });
});

/** The same document by a sender with other habits: name order, spacing, escapes, exponents. */
function reencoded(value: unknown, choices: Iterator<number>): string {
  const choice = (): number => choices.next().value as number;
  const gap = (): string => ['', ' ', '\n', '\t'][choice()] ?? '';
  if (Array.isArray(value)) return `[${gap()}${value.map((one) => reencoded(one, choices)).join(`${gap()},`)}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, inner]) => `${gap()}${escaped(name, choice)}${gap()}:${reencoded(inner, choices)}`,
    );
    return `{${(choice() > 1 ? members.reverse() : members).join(',')}${gap()}}`;
  }
  if (typeof value === 'string') return escaped(value, choice);
  if (typeof value === 'number') return choice() > 1 ? JSON.stringify(value) : value.toExponential().replace('e+', 'E');
  return JSON.stringify(value);
}

function escaped(text: string, choice: () => number): string {
  const units = text.split('').map((unit) => {
    const code = unit.charCodeAt(0);
    const mustEscape = code < 0x20 || unit === '"' || unit === '\\' || (code >= 0xd800 && code <= 0xdfff);
    return mustEscape || choice() === 0 ? `\\u${code.toString(16).padStart(4, '0')}` : unit === '/' ? '\\/' : unit;
  });
  return `"${units.join('')}"`;
}

describe('a number where a text belongs', () => {
  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-7', '-7'],
    ['0', '0'],
    ['-0', '0'],
    ['0.00', '0'],
    ['12345.0', '12345'],
    ['1e3', '1000'],
    ['1.0E+2', '100'],
    ['0.0150', '0.015'],
    ['-15e-3', '-0.015'],
    ['12.50', '12.5'],
    ['1e40', `1${'0'.repeat(40)}`],
    [`1${'0'.repeat(41)}`, '1e41'],
    ['1e41', '1e41'],
    ['100', '100'],
    ['-120', '-120'],
    ['1e999999999', '1e999999999'],
    ['10e-42', '1e-41'],
  ])('%s reads %s', (source, text) => {
    expect(numberText(new NumberToken(source))).toBe(text);
  });

  test('every spelling of a number has one text, which is that number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat(12), fc.nat(9), (units, scale, zeros) => {
        const spelt = `${units}${'0'.repeat(zeros)}e-${scale + zeros}`;
        const text = numberText(new NumberToken(spelt));
        expect(text).toBe(numberText(new NumberToken(`${units}e-${scale}`)));
        expect(canonicalDigest(new NumberToken(text))).toBe(canonicalDigest(new NumberToken(spelt)));
      }),
    );
  });
});

test('sha256 is in hex, of text as of its UTF-8 bytes', () => {
  // The vectors of FIPS 180-2 and of the empty text.
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('₦é')).toBe(sha256(Buffer.from('₦é')));
  expect(sha256(Buffer.from('xabcx').subarray(1, 4))).toBe(sha256('abc'));
});

test('text beyond ASCII is read as UTF-8, and NUL is ASCII', () => {
  expect(parseBody(Buffer.from('"é😀"'))).toEqual({ ok: true, value: 'é😀' });
  expect(parse('"~"\0')).toMatchObject({ ok: false, fault: 'syntax' });
  expect(parseBody(Uint8Array.of(0x22, 0xc3, 0x22))).toMatchObject({ ok: false, fault: 'encoding' });
});

test.each([
  ['{"data":"abc"}', 'abc'],
  ['{"data":""}', null],
  ['{"data":{}}', null],
  ['{"data":1}', null],
  ['{"data":"abc","more":1}', null],
  ['{"other":"abc"}', null],
  ['{}', null],
  ['["abc"]', null],
])('%s is an encrypted body of %j', (text, payload) => {
  expect(encryptedPayload(read(text))).toBe(payload);
});

test('the limits of a body are 64 levels and 10,000 values', () => {
  expect(parse(nested(64)).ok).toBe(true);
  expect(parse(nested(65))).toEqual({ ok: false, fault: 'depth' });
  expect(parse(`[${'0,'.repeat(9_999)}0]`).ok).toBe(true);
  expect(parse(`[${'0,'.repeat(10_000)}0]`)).toEqual({ ok: false, fault: 'size' });
});

test('levels are counted in lists and objects alike, and end with them', () => {
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;
  expect(parse(objects(64)).ok).toBe(true);
  expect(parse(objects(65))).toEqual({ ok: false, fault: 'depth' });
  for (const one of ['[]', '{}', '[{}]', '{"a":[]}']) {
    expect(parse(`[${Array.from({ length: 100 }, () => one).join(',')}]`).ok).toBe(true);
  }
  // Each object of the list is a value, and the list is one.
  const list = (length: number) => `[${Array.from({ length }, () => '{}').join(',')}]`;
  expect(parse(list(5_000)).ok).toBe(true);
  expect(parse(list(5_001))).toEqual({ ok: false, fault: 'size' });
});

test('an exponent of up to a thousand digits is computed; a longer one is left as it was sent', () => {
  const digest = (zeros: number, mantissa: string) => digestOf(`[${mantissa}e1${'0'.repeat(zeros)}]`);
  expect(digest(999, '1')).toBe(digest(999, '1.0'));
  expect(digest(1_000, '1')).not.toBe(digest(1_000, '1.0'));
});

import { Traffic } from '../load.ts';

const SMALLEST_COLLECTION =
  '{"notify":"collection","notifyType":"successful","data":{"reference":"C-1","amount":"10.00","currency":"NGN"}}';

/** Pieces that parsers, decoders and databases have stumbled over. */
const ODD_PIECES: readonly Uint8Array[] = [
  ...['1e400', '-0', '1e-9999', '9007199254740993', '0.1000000000000000055', '00', '1.', '+1', 'NaN', 'null', 'true'],
  ...['"__proto__":{"status":"success"},', '"constructor":1,', '"toString":', '"data":{}', '"data":[],', '{}', '[]'],
  ...['"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '\\u005f', '\\', '"', "'", '\u2028', '\ufeff', '\u202e', '\r\n'],
  ...['"event":"refund.success",', '"refund_reference":"R",', '"updated_at":"2026-02-30T25:61:61Z",', '"amount":{},'],
  ...['[[[[[[[[[[[[[[[[', ']]]]]]]]]]]]]]]]', '{"a":{"a":{"a":', '}}}}}}', '9'.repeat(400), 'e'.repeat(300), "'; --"],
].map((text) => Buffer.from(text));
const BROKEN_UTF8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0]];
const PIECES = [...ODD_PIECES, ...BROKEN_UTF8.map((bytes) => Uint8Array.from(bytes))];

/** Values in place of others: most of such bodies are still JSON. */
const ODD_VALUES: readonly string[] = [
  ...[
    'null',
    'true',
    '-0',
    '1e400',
    '1E-400',
    '9007199254740993.01',
    '0.1000000000000000055',
    '{}',
    '[]',
    '[[]]',
    '""',
  ],
  ...['"\\u0000"', '"\\ud800"', '"\\u202e"', '"__proto__"', '{"__proto__":1}', '{"status":"success"}', '"-1.00"'],
  ...[
    '"1,000.00"',
    '"0x10"',
    '" 5.00 "',
    '"٣.٠٠"',
    '"ngn"',
    '"Refund.Success"',
    '"2026-02-30T25:61:61Z"',
    '"0000-00-00"',
  ],
  ...[
    '"2026-01-01"',
    '1767225600',
    `"${'x'.repeat(300)}"`,
    '9'.repeat(60),
    '"refund.success"',
    '"successful"',
    '"R-1"',
  ],
];
/** Most changes of one body. Half of the bodies get one. */
const MOST_CHANGES = 6;
/** Most mutated bodies that are mutated again. */
const POOL = 500;
/** Bodies that are longer go back to a whole event. */
const LONGEST_BYTES = 8_192;

/** Bodies that began as events of the service and were changed, some of them many times over. */
export class MutatedBodies {
  readonly #random: () => number;
  readonly #traffic: Traffic;
  readonly #pool: Buffer[] = [Buffer.from(SMALLEST_COLLECTION)];

  constructor(seed: number, random: () => number) {
    this.#random = random;
    this.#traffic = new Traffic(seed);
  }

  next(): Buffer {
    let body = this.#random() < 0.5 ? Buffer.from(this.#traffic.body()) : this.#fromPool();
    const changes = this.#random() < 0.5 ? 1 : 1 + this.#below(MOST_CHANGES);
    for (let left = changes; left > 0; left--) {
      body = this.#random() < 0.5 ? this.#withOddValue(body) : this.#withOddBytes(body);
    }
    if (body.length > LONGEST_BYTES) body = Buffer.from(this.#traffic.body());
    // Changed again, a body that is no JSON would hardly ever become one.
    if (isJson(body)) this.#pool[this.#pool.length < POOL ? this.#pool.length : this.#below(POOL)] = body;
    return body;
  }

  /** One member gets another value. */
  #withOddValue(body: Buffer): Buffer {
    const colon = body.indexOf(':', this.#below(body.length));
    const [, value = ''] = /^:("[^"]*"|[^,}]*)/.exec(body.toString('latin1', colon)) ?? [];
    const odd = ODD_VALUES[this.#below(ODD_VALUES.length)] as string;
    return Buffer.concat([body.subarray(0, colon + 1), Buffer.from(odd), body.subarray(colon + 1 + value.length)]);
  }

  #withOddBytes(body: Buffer): Buffer {
    const at = this.#below(body.length + 1);
    const end = at + this.#below(Math.min(64, body.length - at) + 1);
    const [before, cut, after] = [body.subarray(0, at), body.subarray(at, end), body.subarray(end)];
    switch (this.#below(7)) {
      case 0: // one bit
        return Buffer.from(body.map((byte, place) => (place === at ? byte ^ (1 << this.#below(8)) : byte)));
      case 1: // without a part
        return Buffer.concat([before, after]);
      case 2: // a part twice
        return Buffer.concat([before, cut, cut, after]);
      case 3: // an odd piece put in
        return Buffer.concat([before, this.#piece(), cut, after]);
      case 4: // an odd piece instead of a part
        return Buffer.concat([before, this.#piece(), after]);
      case 5: // the end of another body
        return Buffer.concat([before, this.#fromPool().subarray(at)]);
      default: // random bytes
        return Buffer.concat([before, Uint8Array.from(cut, () => this.#below(256)), after]);
    }
  }

  #fromPool = (): Buffer => this.#pool[this.#below(this.#pool.length)] as Buffer;
  #piece = (): Uint8Array => PIECES[this.#below(PIECES.length)] as Uint8Array;
  #below = (limit: number): number => Math.floor(this.#random() * limit);
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { sampleBody } from '../../src/receive/sample/sample.ts';
import type { Workplace } from '../workplace.ts';
import { PUBLIC_KEY, SECRET_KEY } from './keys.ts';

// A request file holds whole HTTP requests, each after its length in five decimal digits. Load generators stream it, so
// that none builds or signs a request while it measures.

export interface RequestFile {
  readonly path: string;
  readonly requests: number;
  /** Sum of the bodies alone. */
  readonly bodyBytes: number;
}

const LENGTH_DIGITS = 5;
const BLOCK_BYTES = 1024 * 1024;
const REQUEST_BYTES = 1_400;
const STATUSES = ['refund.pending', 'refund.processing', 'refund.success'] as const;
/** Members that bring a body to its usual length of about 700 bytes. */
const EXTRA_MEMBERS =
  '"reason":"Returned by the customer \\/ sample","channel":"card","domain":"test","customer":{"name":"Ad\\u00e9b\\u00e1y\\u1ecd Sample"}';
/** Time between two events, as at 20,000 events per second. */
const STEP_MICROSECONDS = 50;

/** Distinct refund events for one run: random references, times that advance as in real traffic, both signatures. */
export class EventSource {
  readonly #workplace: Workplace;
  readonly #secret = createSecretKey(SECRET_KEY, 'utf8');
  readonly #merchantSignature = createHmac('sha512', this.#secret).update(PUBLIC_KEY).digest('hex');
  readonly #startMs = Date.now();
  #made = 0;

  constructor(workplace: Workplace) {
    this.#workplace = workplace;
  }

  /** Writes the next `count` events. */
  file(count: number): RequestFile {
    const bodies = { bytes: 0 };
    const path = this.#workplace.scratchFile(count * REQUEST_BYTES);
    const requests = Math.ceil(count);
    writeRequests(path, requests, () => {
      const body = this.#body();
      bodies.bytes += body.length;
      return this.#request(body);
    });
    return { path, requests, bodyBytes: bodies.bytes };
  }

  /** Writes `count` requests for /healthz. */
  healthChecks(count: number): RequestFile {
    const path = this.#workplace.scratchFile(count * REQUEST_BYTES);
    writeRequests(path, count, () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return { path, requests: count, bodyBytes: 0 };
  }

  /** Frees the space of a file that has been sent. */
  discard({ path }: RequestFile): void {
    rmSync(path, { force: true });
  }

  #body(): string {
    const index = this.#made++;
    const microseconds = index * STEP_MICROSECONDS;
    const at = new Date(this.#startMs + Math.floor(microseconds / 1000)).toISOString();
    const body = sampleBody({
      event: STATUSES[index % STATUSES.length] ?? STATUSES[0],
      environment: 'test',
      reference: `RF-${randomUUID()}`,
      amountMinor: BigInt(10_000 + (index % 90_000)),
      currency: 'USD',
      updatedAt: at.replace('Z', `${String(microseconds % 1000).padStart(3, '0')}Z`),
    });
    return `${body.slice(0, -2)},${EXTRA_MEMBERS}}}`;
  }

  #request(body: string): string {
    const payloadSignature = createHmac('sha512', this.#secret).update(body).digest('hex');
    return [
      'POST /webhooks/test HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `payloadSignature: ${payloadSignature}`,
      `merchantSignature: ${this.#merchantSignature}`,
      `timestamp: ${new Date(this.#startMs).toISOString()}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  }
}

/** Streams a request file. After its end it starts again and counts the repeated requests. */
export class RequestReader {
  readonly #file: number;
  #block = Buffer.alloc(0);
  #at = 0;
  #position = 0;
  #rewound = false;
  repeated = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  next(): Buffer {
    const length = Number(this.#take(LENGTH_DIGITS).toString('latin1'));
    if (this.#rewound) this.repeated++;
    return this.#take(length);
  }

  #take(bytes: number): Buffer {
    if (this.#block.length - this.#at < bytes) this.#readOn();
    this.#at += bytes;
    return this.#block.subarray(this.#at - bytes, this.#at);
  }

  #readOn(): void {
    const rest = this.#block.subarray(this.#at);
    const block = Buffer.allocUnsafe(rest.length + BLOCK_BYTES);
    rest.copy(block);
    let read = readSync(this.#file, block, rest.length, BLOCK_BYTES, this.#position);
    if (read === 0) {
      this.#rewound = true;
      this.#position = 0;
      read = readSync(this.#file, block, rest.length, BLOCK_BYTES, 0);
    }
    this.#position += read;
    this.#block = block.subarray(0, rest.length + read);
    this.#at = 0;
  }
}

function writeRequests(path: string, count: number, request: () => string): void {
  const file = openSync(path, 'w', 0o600);
  let block: string[] = [];
  for (let written = 1; written <= count; written++) {
    const text = request();
    block.push(String(text.length).padStart(LENGTH_DIGITS, '0'), text);
    if (written % 1_000 === 0 || written === count) {
      writeSync(file, block.join(''), null, 'latin1');
      block = [];
    }
  }
  // Unwritten pages would disturb the next measurement.
  fsyncSync(file);
  closeSync(file);
}

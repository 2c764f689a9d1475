import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { temporaryFolder } from '../folder.ts';
import { sendAll } from '../keep-alive.ts';
import { seededRandom } from '../random.ts';
import { requestBytes } from '../raw-http.ts';
import { applied, readerOf } from '../reader.ts';
import { Serve } from '../serve.ts';
import { signed } from '../signer.ts';
import { MutatedBodies } from './mutations.ts';

export interface FuzzFigures {
  readonly sent: number;
  /** Answered as duplicates. */
  readonly duplicates: number;
  /** What was wrong, in words; a body is given as base64. */
  readonly problems: readonly string[];
}

interface Told {
  readonly id: number;
  readonly duplicate: boolean;
}

/**
 * Sends `count` mutated bodies, signed rightly, to a real `serve` with a database of its own. Each must be answered 200. The
 * bytes of each must be in the store; those of a duplicate, or others that say the same. `serve` must apply all of it, log no
 * error, and stop in order.
 */
export async function fuzzSigned(count: number, seed: number): Promise<FuzzFigures> {
  const folder = temporaryFolder();
  const database = join(folder, 'tallyhook.db');
  const serve = await Serve.start({ cwd: folder, database });
  const problems: string[] = [];
  try {
    const bodies = new MutatedBodies(seed, seededRandom(seed));
    const underway = new Map<number, Buffer>();
    const kept = new Set<string>();
    const repeated: [Buffer, number][] = [];
    await sendAll(serve.url, {
      count,
      requestAt: (index) => {
        const body = bodies.next();
        underway.set(index, body);
        return requestBytes({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
      },
      onAnswer: (index, { status, body: text }) => {
        const body = underway.get(index) as Buffer;
        underway.delete(index);
        if (status !== 200) problems.push(`${status} for ${body.toString('base64')}`);
        else {
          const { id, duplicate } = JSON.parse(text) as Told;
          if (duplicate) repeated.push([body, id]);
          else kept.add(digestOf(body));
        }
      },
    });
    problems.push(...(await compareStored(database, kept, repeated)));
    const code = await serve.stop();
    if (code !== 0) problems.push(`serve ended with code ${code}`);
    problems.push(...serve.stderr.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line)));
    return { sent: count, duplicates: repeated.length, problems };
  } finally {
    await serve.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares what the store holds with what was sent; `kept` loses what is found. */
async function compareStored(path: string, kept: Set<string>, repeated: readonly [Buffer, number][]) {
  const reader = readerOf(path);
  try {
    await applied(reader);
    const problems: string[] = [];
    const stored = 'SELECT body FROM events UNION ALL SELECT body FROM variants';
    for (const body of reader.prepare<[], Buffer>(stored).pluck().iterate()) {
      if (!kept.delete(digestOf(body))) problems.push(`stored and not sent, or twice: ${body.toString('base64')}`);
    }
    if (kept.size > 0) problems.push(`${kept.size} bodies that were answered 200 are not in the store`);
    const bodiesOf = reader
      .prepare<[number, number], Buffer>(
        'SELECT body FROM events WHERE id = ? UNION ALL SELECT body FROM variants WHERE event_id = ?',
      )
      .pluck();
    for (const [body, id] of repeated) {
      if (bodiesOf.all(id, id).some((one) => saysTheSame(one, body))) continue;
      problems.push(`no body of event ${id} says the same as ${body.toString('base64')}`);
    }
    const integrity = reader.pragma('integrity_check', { simple: true });
    return integrity === 'ok' ? problems : [...problems, String(integrity)];
  } finally {
    reader.close();
  }
}

function saysTheSame(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  try {
    const [first, second] = [one, other].map((body) => JSON.parse(body.toString().replace(/^\ufeff/, ''), asInstant));
    return isDeepStrictEqual(first, second);
  } catch {
    return false;
  }
}

/** Two spellings of one `updated_at`, such as .23Z and .230z, say the same, and so do -0 and 0. */
function asInstant(name: string, value: unknown): unknown {
  if (value === 0) return 0;
  if (name !== 'updated_at' || typeof value !== 'string') return value;
  const atMs = Date.parse(value.toUpperCase());
  return Number.isNaN(atMs) ? value : atMs;
}

const digestOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64');

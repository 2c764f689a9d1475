import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { sendAll } from '../keep-alive.ts';
import { seededRandom } from '../random.ts';
import { requestBytes } from '../raw-http.ts';
import { carriedOut, readerOf } from '../reader.ts';
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

/**
 * Sends `count` mutated bodies, signed rightly, to a real `serve` with a database of its own. Each must be answered 200. The
 * bytes of each must be in the store; those of a duplicate, or others that say the same. `serve` must carry all of it out, log no
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
    /** What was answered 200: the digest of each body to that of what it says. */
    const kept = new Map<string, string>();
    await sendAll(serve.url, {
      count,
      requestAt: (index) => {
        const body = bodies.next();
        underway.set(index, body);
        return requestBytes({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
      },
      onAnswer: (index, { status }) => {
        const body = underway.get(index) as Buffer;
        underway.delete(index);
        if (status !== 200) problems.push(`${status} for ${body.toString('base64')}`);
        else kept.set(digestOf(body), meaningOf(body));
      },
    });
    const { stored, found } = await compareStored(database, kept);
    problems.push(...found);
    const code = await serve.stop();
    if (code !== 0) problems.push(`serve ended with code ${code}`);
    problems.push(...serve.stderr.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line)));
    return { sent: count, duplicates: count - stored, problems };
  } finally {
    await serve.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares what the store holds with what was sent. */
async function compareStored(path: string, kept: ReadonlyMap<string, string>) {
  await carriedOut(path, 600_000);
  const reader = readerOf(path);
  try {
    const found: string[] = [];
    const [bodies, meanings] = [new Set<string>(), new Set<string>()];
    const stored = 'SELECT body FROM events UNION ALL SELECT body FROM variants';
    for (const body of reader.prepare<[], Buffer>(stored).pluck().iterate()) {
      const digest = digestOf(body);
      if (!kept.has(digest) || bodies.has(digest))
        found.push(`stored and not sent, or twice: ${body.toString('base64')}`);
      bodies.add(digest);
      meanings.add(meaningOf(body));
    }
    const missing = [...kept].filter(([digest, meaning]) => !bodies.has(digest) && !meanings.has(meaning));
    if (missing.length > 0)
      found.push(`${missing.length} bodies that were answered 200, and none that says the same, are not in the store`);
    const integrity = reader.pragma('integrity_check', { simple: true });
    return { stored: bodies.size, found: integrity === 'ok' ? found : [...found, String(integrity)] };
  } finally {
    reader.close();
  }
}

/** The same for bodies that say the same; for one that cannot be read its own digest. */
function meaningOf(body: Buffer): string {
  try {
    const value: unknown = JSON.parse(body.toString().replace(/^\ufeff/, ''), asInstant);
    return digestOf(Buffer.from(JSON.stringify(sorted(value)) ?? ''));
  } catch {
    return digestOf(body);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, sorted(member)]);
}

/** Two spellings of one `updated_at`, such as .23Z and .230z, say the same, and so do -0 and 0. */
function asInstant(name: string, value: unknown): unknown {
  if (value === 0) return 0;
  if (name !== 'updated_at' || typeof value !== 'string') return value;
  const atMs = Date.parse(value.toUpperCase());
  return Number.isNaN(atMs) ? value : atMs;
}

const digestOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64');

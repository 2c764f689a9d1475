import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSettled, RECORD_KINDS, type RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { bookRows } from './compare.ts';
import type { Shop, TakenNews } from './shop.ts';

const TIMEOUT_MS = 15_000;
const POLL_MS = 20;

/** What reached the merchant's application. */
export interface Forwarded {
  /** Records that are settled in the books of the service. */
  readonly settled: number;
  /** Of these, those whose last news says that status. */
  readonly agreeing: number;
  /** Pieces of news, each once. */
  readonly news: number;
  /** Requests that it took for forged. */
  readonly refused: number;
  /** One of each kind: `refund RFD_1 success`. */
  readonly examples: readonly string[];
}

/** Writes the configuration of the target into the folder of the demo. */
export function configureTarget(folder: string, { url, secret }: Shop): void {
  const target = { name: 'shop', url, secrets: [secret] };
  writeFileSync(join(folder, 'tallyhook.yaml'), `forward:\n  targets: [${JSON.stringify(target)}]\n`, { mode: 0o600 });
}

/** Waits until the application has the last word of every settled record, at most 15 s; then tells what it has. */
export async function newsAt(shop: Shop, sandbox: Sandbox): Promise<Forwarded> {
  const books = RECORD_KINDS.flatMap((kind) =>
    bookRows(sandbox, kind)
      .filter(({ status }) => isSettled(kind, status))
      .map(({ reference, status }) => ({ name: `${kind} ${reference}`, status })),
  );
  const deadlineMs = systemClock.nowMs() + TIMEOUT_MS;
  for (;;) {
    const last = lastWords(shop.taken);
    const agreeing = books.filter(({ name, status }) => last.get(name)?.confirmed === status).length;
    if (agreeing < books.length && systemClock.nowMs() < deadlineMs) {
      await new Promise((wake) => setTimeout(wake, POLL_MS));
      continue;
    }
    const examples = RECORD_KINDS.flatMap((kind) => exampleOf(kind, last));
    return { settled: books.length, agreeing, news: shop.taken.length, refused: shop.refused(), examples };
  }
}

function lastWords(taken: readonly TakenNews[]): Map<string, TakenNews> {
  const last = new Map<string, TakenNews>();
  for (const one of taken) {
    const name = `${one.kind} ${one.reference}`;
    if (one.n > (last.get(name)?.n ?? 0)) last.set(name, one);
  }
  return last;
}

/** The first news of a kind by its reference, as `refund RFD_1 success`. */
function exampleOf(kind: RecordKind, last: ReadonlyMap<string, TakenNews>): string[] {
  const all = [...last.values()].filter((one) => one.kind === kind);
  return all
    .map(({ reference, confirmed }) => `${kind} ${reference} ${confirmed}`)
    .sort()
    .slice(0, 1);
}

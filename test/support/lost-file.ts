import { linkSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { rawRequest } from './raw-http.ts';
import { carriedOut, readerOf } from './reader.ts';
import { Serve } from './serve.ts';
import { signed } from './signer.ts';

// A file of the database that is deleted, moved, replaced or cut while `serve` has it open.

export const FILES = ['tallyhook.db', 'tallyhook.db-wal', 'tallyhook.inbox.db', 'tallyhook.inbox.db-wal'] as const;

export const WAYS = {
  deleted: (file: string) => rmSync(file),
  moved: (file: string) => renameSync(file, `${file}.moved`),
  'replaced by a copy': replaceByCopy,
  'cut in half': (file: string) => truncateSync(file, statSync(file).size / 2),
} as const;
export type Way = keyof typeof WAYS;

/** Loses the file between two deliveries: `serve` ends with the reason, and nothing that was acknowledged is lost. */
export async function loseWhileServing(name: (typeof FILES)[number], way: Way): Promise<void> {
  const cwd = temporaryFolder();
  const [database, file] = [join(cwd, 'tallyhook.db'), join(cwd, name)];
  const serve = await Serve.start({ cwd, database });
  try {
    expect(await send(serve, 'BEFORE')).toBe(200);
    await carriedOut(database);
    WAYS[way](file);
    const after = await send(serve, 'AFTER');
    expect((await serve.exited).code).toBe(1);
    const last = JSON.stringify(serve.logged('the database cannot be trusted; stopping'));
    expect(last).toContain(`${file} was `);
    expect(last).toContain('while the database is open');
    // The log acknowledges until the loss of the books is seen, and keeps what they did not carry out; its own loss is seen at once.
    if (name.startsWith('tallyhook.inbox.db')) expect(after).not.toBe(200);
    else if (after === 200) expect(inLog(database)).toContain('AFTER');
    if (name !== 'tallyhook.db') expect(references(database)).toContain('BEFORE');
  } finally {
    await serve.kill();
  }
}

/** Sends one delivery; the status, or null when the process ended instead of answering. */
export async function send(serve: Serve, reference: string): Promise<number | null> {
  const body = `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`;
  const headers = Object.entries(signed(body));
  return rawRequest(serve.url, { path: '/webhooks/test', headers, body }).then(
    ({ status }) => status,
    () => null,
  );
}

export function references(database: string): string[] {
  const reader = readerOf(database);
  try {
    return reader.prepare<[], string>('SELECT reference FROM events ORDER BY id').pluck().all();
  } finally {
    reader.close();
  }
}

function replaceByCopy(file: string): void {
  linkSync(file, `${file}.old`); // keeps the inode, so that the copy has another one
  rmSync(file);
  writeFileSync(`${file}.copy`, readFileSync(`${file}.old`));
  renameSync(`${file}.copy`, file);
}

/** The bytes of the entries in the log, as text. */
function inLog(database: string): string {
  const reader = readerOf(database.replace('.db', '.inbox.db'));
  const bytes = reader.prepare<[], Buffer>('SELECT bytes FROM entries').pluck().all();
  reader.close();
  return bytes.join();
}

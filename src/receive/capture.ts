import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

/** Most deliveries kept; a new one overwrites the oldest. */
const SLOTS = 100;
/** Largest body that is written, in bytes; real webhooks are smaller. */
const MAX_BODY_BYTES = 256 * 1024;
const KEPT_HEADERS = /^(payloadsignature|merchantsignature|timestamp|content-|user-agent|via|x-forwarded-|host)/;

/**
 * Writes deliveries whose signature failed as `NNN.body` and `NNN.headers` (0600), for `tallyhook verify`. Off unless
 * `captureFailed` is set, because the bytes may come from anyone.
 */
export class Capture {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  #next = 0;
  /** Writes run one after the other, so that two never write the same slot at once. */
  #written: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  write(body: Uint8Array, headers: IncomingHttpHeaders): void {
    // In a flood deliveries are skipped, so that the queue for the disk is bounded.
    if (body.byteLength > MAX_BODY_BYTES || this.#waiting >= SLOTS) return;
    const name = String(this.#next++ % SLOTS).padStart(3, '0');
    const lines = Object.entries(headers).filter(([header]) => KEPT_HEADERS.test(header));
    const text = lines.map(([header, value]) => `${header}: ${value}\n`).join('');
    const copy = Uint8Array.from(body);
    this.#waiting++;
    this.#written = this.#written
      .then(() => this.#put(name, copy, text))
      .catch(this.#onError)
      .finally(() => this.#waiting--);
  }

  async #put(name: string, body: Uint8Array, headers: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder, `${name}.body`), body, { mode: 0o600 });
    await writeFile(join(this.#folder, `${name}.headers`), headers, { mode: 0o600 });
  }
}

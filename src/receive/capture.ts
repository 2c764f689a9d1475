import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

/** Deliveries kept at most; the oldest gives its place to the newest. */
const SLOTS = 100;
/** Enough for any real webhook; a larger stranger is not worth the disk. */
const MAX_BODY_BYTES = 256 * 1024;
const KEPT_HEADERS = /^(payloadsignature|merchantsignature|timestamp|content-|user-agent|via|x-forwarded-|host)/;

/**
 * Writes deliveries whose signature failed as `NNN.body` and `NNN.headers` (0600), for `tallyhook verify`. Only when the
 * operator asks (`captureFailed`): nobody vouches for these bytes.
 */
export class Capture {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  #next = 0;
  /** One after the other, so that two never write the same slot at once. */
  #written: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  write(body: Uint8Array, headers: IncomingHttpHeaders): void {
    // A flood is sampled: what waits for the disk is bounded, too.
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

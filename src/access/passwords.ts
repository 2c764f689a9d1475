import { argon2, timingSafeEqual } from 'node:crypto';
import { HASH_COST, type HashCost, hashText, keptPassword, parseHash } from '../domain/access/password.ts';
import { TallyhookError } from '../domain/error.ts';

/*
 * Passwords are hashed and compared here, in the thread of who asks: the books are given the hash. A comparison costs the same whether
 * there is a user of that name or not.
 */

const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Hashes at a time, each HASH_COST of memory; and those that wait for their turn. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 30;

/** A hash of no password: compared with where there is no user, or one without a password. */
const NO_HASH = { ...HASH_COST, salt: Buffer.alloc(SALT_BYTES, 1), hash: Buffer.alloc(HASH_BYTES) };

/** Too many logins at once. */
export class LoginsBusyError extends TallyhookError {
  override readonly name = 'LoginsBusyError';

  constructor() {
    super('Too many logins are under way.', { kind: 'unavailable', hint: 'Try again in a few seconds.' });
  }
}

export class Passwords {
  readonly #cost: HashCost;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `cost`: of new hashes; a test takes less. */
  constructor(cost: HashCost = HASH_COST) {
    this.#cost = cost;
  }

  /** The hash of a new password, as the books keep it. `random`: bytes for the salt. @throws LoginsBusyError */
  async hash(password: string, random: (bytes: number) => Uint8Array): Promise<string> {
    const salt = random(SALT_BYTES);
    const hash = await this.#inTurn(() => derived(password, salt, this.#cost));
    return hashText({ ...this.#cost, salt, hash });
  }

  /** Whether it is the password of this hash; null: there is none to compare, and the same work is done. @throws LoginsBusyError */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const kept = hash === null ? null : parseHash(hash);
    const { salt, hash: wanted, ...cost } = kept ?? { ...NO_HASH, ...this.#cost };
    const given = await this.#inTurn(() => derived(password, salt, cost, wanted.length));
    return timingSafeEqual(given, wanted) && kept !== null;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= MOST_AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) throw new LoginsBusyError();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise; // the one that ended leaves its place to this one
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

function derived(
  password: string,
  nonce: Uint8Array,
  { memoryKib: memory, passes, lanes: parallelism }: HashCost,
  tagLength = HASH_BYTES,
): Promise<Buffer> {
  const message = keptPassword(password);
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, parallelism, tagLength, memory, passes }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

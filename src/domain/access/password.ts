import { foldedName } from '../persons/person.ts';

/*
 * What may be a password, and how its hash is written. Hashing is src/access/passwords.ts; a password never reaches the books.
 */

const LEAST_CHARACTERS = 12;
const MOST_CHARACTERS = 200;
const LEAST_DIFFERENT = 5;
/** Rows of keys and of signs: a password that walks along one is guessed first. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Characters of a row that follow one another in a password and count as one. */
const WALK = 4;

/** Why a new password is none, to follow "The password"; null: it is one. `name`: of its user. */
export function passwordProblem(password: string, name: string): string | null {
  const text = keptPassword(password);
  const { length } = [...text];
  if (length < LEAST_CHARACTERS) return `has ${length} characters; ${LEAST_CHARACTERS} are needed: four words do`;
  if (length > MOST_CHARACTERS) return `has ${length} characters; ${MOST_CHARACTERS} are allowed`;
  const plain = foldedName(text);
  const [person, program] = [foldedName(name), 'tallyhook'];
  for (const known of [person, program])
    if (known.length >= 3 && withoutWord(plain, known).length < LEAST_CHARACTERS - 4)
      return `is little more than ${known === person ? 'your name' : 'the name of the program'}`;
  if (new Set(plain).size < LEAST_DIFFERENT) return `has fewer than ${LEAST_DIFFERENT} different characters`;
  if (isRepeated(plain)) return 'repeats one piece; write something longer instead';
  return effectiveLength(plain) < LEAST_CHARACTERS - 4 ? 'walks along the keyboard, the alphabet or the digits' : null;
}

/** A password as it is hashed: what looks the same is the same, whichever keyboard typed it. */
export function keptPassword(password: string): string {
  return password.normalize('NFKC');
}

function withoutWord(text: string, word: string): string {
  return text.split(word).join('');
}

function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 3; length++)
    if (text.length % length === 0 && text === text.slice(0, length).repeat(text.length / length)) return true;
  return false;
}

/** The characters, where a walk along a row, in either direction, counts as one. */
function effectiveLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; length++) at += Math.max(1, walkAt(text, at));
  return length;
}

function walkAt(text: string, at: number): number {
  let longest = 0;
  for (const row of [...ROWS, ...ROWS.map((one) => [...one].reverse().join(''))])
    for (let to = text.length; to - at >= WALK; to--)
      if (row.includes(text.slice(at, to))) {
        longest = Math.max(longest, to - at);
        break;
      }
  return longest;
}

/** The cost of argon2id. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** What a new hash costs: some 60 ms and 32 MiB. A hash of another cost keeps it until the password is set again. */
export const HASH_COST: HashCost = { memoryKib: 32 * 1024, passes: 3, lanes: 1 };
/** A hash in the books that costs more was not written by us. */
const MOST_MEMORY_KIB = 256 * 1024;
const MOST_PASSES = 16;

/** A hash with everything that making it again needs. */
export interface PasswordHash extends HashCost {
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const HASH = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=([1-4])\$([\w+/-]{22,86})\$([\w+/-]{43,86})$/;

/** The usual text of it: `$argon2id$v=19$m=32768,t=3,p=1$SALT$HASH`. */
export function hashText({ memoryKib, passes, lanes, salt, hash }: PasswordHash): string {
  const [saltText, hashed] = [salt, hash].map((bytes) => Buffer.from(bytes).toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${saltText}$${hashed}`;
}

/** Null: the text is no hash of ours. */
export function parseHash(text: string): PasswordHash | null {
  const [, memory = '', passes = '', lanes = '', salt = '', hash = ''] = HASH.exec(text) ?? [];
  const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  if (cost.passes < 1 || cost.passes > MOST_PASSES) return null;
  if (cost.memoryKib < 8 * cost.lanes || cost.memoryKib > MOST_MEMORY_KIB) return null;
  return { ...cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

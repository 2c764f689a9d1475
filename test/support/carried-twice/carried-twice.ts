import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { FLAGS_OF_KEPT_CODE } from '../../../cli/runtime.js';
import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import { packageFile } from '../../../src/package-root.ts';
import type { StoreOptions } from '../../../src/store/library.ts';
import { usualKeyFile } from '../../../src/store/sqlite/engine/audit-key.ts';
import { fork, killGroup, startFor } from '../processes.ts';
import type { SharedWrites } from '../shared-log/second-machine.ts';
import type { Recorded } from './again.ts';
import type { Settings } from './written.ts';

/** Another machine: its zone and its locale are not those of this process. */
const ELSEWHERE = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

/** The process that carries out again, started by the first that needs it; it answers one question after the other. */
let again: ChildProcess | undefined;
let latest: Promise<unknown> = Promise.resolve();

/** What is carried out again: the recorded writes of one machine, or the log of several. */
export type Again = Recorded | SharedWrites;

/** With what a database of these options is carried out. */
export function settingsOf(
  database: string,
  { zone = 'UTC', debounceMs = 0, checkRules = STANDARD_CHECK_RULES, encryption = null }: StoreOptions,
): Settings {
  const plain = encryption && { keyHex: encryption.keyHex.reveal(), ivHex: encryption.ivHex.reveal() };
  return { zone, debounceMs, checkRules, encryption: plain, auditKey: usualKeyFile(database) };
}

/** Carries the writes of closed databases out again, in another process; returns which rows differ. */
export function differencesElsewhere(writes: Again): Promise<string[]> {
  const answer = latest.then(() => {
    again ??= startFor('worker', () => startAgain());
    return asked(again, writes);
  });
  latest = answer.catch(() => {});
  return answer;
}

/** The same in a process of its own, with more in its environment: so a program with mistakes in it carries out again. */
export async function differencesWith(env: Readonly<Record<string, string>>, recorded: Recorded): Promise<string[]> {
  const own = startAgain(env);
  try {
    return await asked(own, recorded);
  } finally {
    killGroup(own);
  }
}

async function asked(child: ChildProcess, writes: Again): Promise<string[]> {
  child.ref();
  child.channel?.ref();
  child.send(writes);
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The process that carries out again ended with ${code}.`);
  });
  ended.catch(() => {}); // also when it is not waited for any more
  try {
    const [differences] = await Promise.race([once(child, 'message', { signal }), ended]);
    return differences;
  } finally {
    answered.abort();
    child.unref();
    child.channel?.unref();
  }
}

function startAgain(env: Readonly<Record<string, string>> = {}): ChildProcess {
  return fork(packageFile('test/support/carried-twice/again-process.ts'), [], {
    env: { ...process.env, ...ELSEWHERE, ...env },
    execArgv: FLAGS_OF_KEPT_CODE, // not those of this process, which records
    serialization: 'advanced',
  });
}

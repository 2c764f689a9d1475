import { expect } from 'vitest';
import { command } from './command.ts';

/** A mistake: the line, the exit code, and what the answer says: what failed and the value seen, then what to do next. */
export type Mistake = readonly [line: string, code: number, message: string, next: string];

/** Runs the line in `cwd`; words are separated by spaces, or are those of `words`. */
export async function expectMistake(
  [line, code, message, next]: Mistake,
  { cwd, words = line.split(' ') }: { readonly cwd: string; readonly words?: readonly string[] },
): Promise<void> {
  const ended = await command(words, { cwd });
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(message)]);
  expect(ended.stderr).toMatch(/^tallyhook: /);
  const advice = ended.stderr.slice(ended.stderr.indexOf(message) + message.length);
  expect(advice).toContain(next);
  expect(ended.stderr).not.toMatch(/\n\s+at |<command>|ENOENT|EACCES/);
}

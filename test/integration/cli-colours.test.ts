import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { OnTerminal } from '../support/on-terminal.ts';
import { someOf } from '../support/random-runs.ts';

const cwd = temporaryFolder();
const keys = { TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_colours_1234', TALLYHOOK_TEST_SECRET_KEY: 'sk_test_colours_1234' };
const words = ['verify', '/dev/null', '--payload-signature', 'ab', '--merchant-signature', 'cd'];
let terminal: OnTerminal;
afterEach(() => terminal.kill());
const shown = async (args: string[], env: Record<string, string>) => {
  terminal = new OnTerminal(args, { cwd, env: { ...keys, ...env }, stdout: 'terminal' });
  await terminal.ended();
  return terminal.shown;
};

describe('on a real terminal', { tags: ['script'] }, () => {
  test.each(
    someOf<[string, Record<string, string>, boolean]>(3, [
      ['NO_COLOR', { TERM: 'xterm-256color', NO_COLOR: '1' }, false],
      ['TERM=dumb and FORCE_COLOR', { TERM: 'dumb', FORCE_COLOR: '1' }, true],
      ['an ordinary one', { TERM: 'xterm-256color' }, true],
      ['TERM=dumb', { TERM: 'dumb' }, false],
      ['NO_COLOR and FORCE_COLOR', { TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }, true],
    ]),
  )('%s', async (_what, env, coloured) => {
    const verdict = await shown(words, env);
    const [first] = verdict.split('\r\n');
    const reason = 'invalid: malformed_payload_signature';
    expect(first).toBe(coloured ? `\x1b[31m${reason}\x1b[39m` : reason);
    const overview = await shown(['help'], env);
    expect(overview).toContain(coloured ? '\r\n\x1b[1mFinance\x1b[22m\r\n' : '\r\nFinance\r\n');
    expect(verdict + overview).not.toContain('\ufffd');
  });

  test('doctor colours what was checked, and no skipped check; its lines fit', async () => {
    const env = { ...keys, TERM: 'xterm-256color' };
    terminal = new OnTerminal(['doctor', '--offline'], { cwd, env, stdout: 'terminal', columns: 60 });
    await terminal.ended();
    expect(terminal.shown).toContain('\x1b[32mok      \x1b[39m node');
    expect(terminal.shown).toMatch(/^skipped {2}service: not asked/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: codes of the terminal
    const lines = terminal.shown.replace(/\x1b\[\d+m/g, '').split('\r\n');
    expect(lines.filter((line) => line.length > 60 && line.trim().includes(' '))).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/receiver.ts';

const cwd = temporaryFolder();
const bin = join(cwd, 'bin');
const env = { PATH: `${bin}:${process.env.PATH}`, HOME: cwd };
beforeAll(() => {
  mkdirSync(bin);
  symlinkSync(packageFile('cli/tallyhook.js'), join(bin, 'tallyhook'));
});

/** What a real bash offers for the last word of a line, once the script is sourced. */
function bashOffers(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `
    source <(tallyhook completion bash) || exit 9
    COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    spec=$(complete -p "\${COMP_WORDS[0]##*/}") || exit 8
    [[ $spec =~ -F\\ ([a-z_]+) ]] && "\${BASH_REMATCH[1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((one) => one !== '');
}

test.each([
  ['the first word', ['tallyhook', 'ref'], ['refunds']],
  ['a subcommand', ['tallyhook', 'refunds', ''], ['list', 'show', 'request', 'status']],
  ['an option', ['tallyhook', 'refunds', 'list', '--si'], ['--since']],
  ['the value of an option', ['tallyhook', 'trigger', '--environment', ''], ['test', 'live']],
  ['a choice', ['tallyhook', 'trigger', 'refund.s'], ['refund.success']],
  ['a command after help', ['tallyhook', 'help', 'stu'], ['stuck']],
  ['a shell', ['tallyhook', 'completion', ''], ['bash', 'zsh']],
  ['the launcher itself', [packageFile('cli/tallyhook.js'), 'hea'], ['health']],
  ['nothing, so that the shell completes a file', ['tallyhook', 'verify', 'body.j'], []],
])('bash completes %s', (_what, words, offered) => {
  expect(bashOffers(...words)).toEqual(offered);
});

test('without a word bash offers every command and help', () => {
  expect(bashOffers('tallyhook', '')).toEqual(expect.arrayContaining(['serve', 'status', 'completion', 'help']));
});

test('the script for zsh is one that zsh can read, and asks for the same words', () => {
  const { stdout, status } = spawnSync('tallyhook', ['completion', 'zsh'], { cwd, env, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^compdef _tallyhook tallyhook tallyhook\.js$/m);
  expect(stdout).toContain('words[1,CURRENT]');
});

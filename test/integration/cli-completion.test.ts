import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { LAUNCHER } from '../support/program.ts';

const cwd = temporaryFolder();
const bin = join(cwd, 'bin');
const env = { PATH: `${bin}:${process.env.PATH}`, HOME: cwd };
beforeAll(() => {
  mkdirSync(bin);
  symlinkSync(LAUNCHER, join(bin, 'tallyhook'));
  for (const shell of ['bash', 'zsh']) {
    const { stdout } = spawnSync('tallyhook', ['completion', shell], { cwd, env });
    writeFileSync(join(cwd, `completion.${shell}`), stdout);
  }
});

/** What a real bash offers for the last word of a line, once the script is sourced. */
const bashOffers = (...words: string[]) => bashOffersAfter('source completion.bash', words);
function bashOffersAfter(setup: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `
    ${setup} || exit 9
    COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    spec=$(complete -p "\${COMP_WORDS[0]##*/}") || exit 8
    [[ $spec =~ -F\\ ([a-z_]+) ]] && "\${BASH_REMATCH[1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((one) => one !== '');
}

/** What a real zsh on a terminal offers for the last word of a line, after the tabulator key. */
function zshOffers(...words: string[]): string[] {
  const setup = `
    autoload -Uz compinit && compinit -u -D
    source completion.zsh
    compadd() {
      local -a matching
      builtin compadd -O matching "$@"
      print -rl -- $matching >>"$HOME/offered"
      builtin compadd "$@"
    }
    leave() { BUFFER=exit; zle accept-line }
    zle -N leave; bindkey '^X' leave
    PS1='READY '`;
  writeFileSync(join(cwd, 'setup.zsh'), setup);
  writeFileSync(join(cwd, 'offered'), '');
  const script = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'source setup.zsh'
    zpty -r shell seen '*READY *' || exit 9
    zpty -w -n shell "$1"$'\\t\\x18'
    while zpty -r shell seen; do :; done`;
  const args = ['-f', '-c', script, 'zsh', words.join(' ')];
  const { error, stderr } = spawnSync('zsh', args, { cwd, env, encoding: 'utf8', timeout: 60_000 });
  expect({ error, stderr }).toEqual({ stderr: '' });
  return readFileSync(join(cwd, 'offered'), 'utf8')
    .split('\n')
    .filter((one) => one !== '');
}

const CASES: [what: string, words: string[], offered: string[]][] = [
  ['the first word', ['tallyhook', 'ref'], ['refunds', 'refused']],
  ['a subcommand', ['tallyhook', 'refunds', ''], ['list', 'show', 'request', 'status']],
  ['an option', ['tallyhook', 'refunds', 'list', '--si'], ['--since']],
  ['the value of an option', ['tallyhook', 'trigger', '--environment', ''], ['test', 'live']],
  ['a status', ['tallyhook', 'payouts', 'list', '--status', 'rev'], ['reversed']],
  ['a status after a comma', ['tallyhook', 'payouts', 'list', '--status', 'reversed,succ'], ['reversed,success']],
  [
    'every other status after a comma',
    ['tallyhook', 'refunds', 'list', '--status', 'failed,rejected,'],
    ['awaiting_settlement', 'pending', 'processing', 'success'].map((status) => `failed,rejected,${status}`),
  ],
  ['a choice', ['tallyhook', 'trigger', 'refund.s'], ['refund.success']],
  ['a command after help', ['tallyhook', 'help', 'stu'], ['stuck']],
  ['a shell', ['tallyhook', 'completion', ''], ['bash', 'zsh']],
  ['the launcher itself', [LAUNCHER, 'hea'], ['health']],
];
/** What the shells make of the offers of the program, which are the same for both. */
const IN_BOTH = CASES.filter(([what]) =>
  ['the first word', 'an option', 'every other status after a comma', 'the launcher itself'].includes(what),
);
/** bash makes words of its own of `=`; zsh leaves the option and its value one word. */
const IN_BASH: typeof CASES = [
  ['a value behind =', ['tallyhook', 'payouts', 'list', '--environment', '=', 'l'], ['live']],
  ['a value right behind =', ['tallyhook', 'payouts', 'list', '--environment', '='], ['test', 'live']],
];
const IN_ZSH: typeof CASES = [
  ['a value behind =', ['tallyhook', 'trigger', '--environment=l'], ['--environment=live']],
  ['a value right behind =', ['tallyhook', 'trigger', '--environment='], ['--environment=test', '--environment=live']],
];

test.each(CASES)('the program offers %s', async (_what, words, offered) => {
  const { stdout } = await command(['--get-yargs-completions', ...words], { cwd, env });
  const begun = words.at(-1) ?? '';
  // A shell shows those that begin with the word.
  expect(
    stdout
      .split('\n')
      .filter((one) => one !== '' && one.startsWith(begun))
      .sort(),
  ).toEqual([...offered].sort());
});

test.each([...IN_BOTH, ...IN_BASH])('bash completes %s', (_what, words, offered) => {
  expect(bashOffers(...words).sort()).toEqual([...offered].sort());
});

test.each([...IN_BOTH, ...IN_ZSH])('zsh completes %s', { tags: ['zsh'] }, (_what, words, offered) => {
  expect(zshOffers(...words).sort()).toEqual([...offered].sort());
});

test('where the program offers nothing, the shell completes a file', { tags: ['zsh'] }, () => {
  writeFileSync(join(cwd, 'body.json'), '{}');
  expect(bashOffers('tallyhook', 'verify', 'body.j')).toEqual([]);
  expect(zshOffers('tallyhook', 'verify', 'body.j')).toContain('body.json');
});

test('without a word bash offers every command and help', () => {
  const asDocumented = 'source <(tallyhook completion bash)';
  expect(bashOffersAfter(asDocumented, ['tallyhook', ''])).toEqual(
    expect.arrayContaining(['serve', 'status', 'completion', 'help']),
  );
});

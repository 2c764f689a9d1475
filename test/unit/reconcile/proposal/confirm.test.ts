import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../../../src/package-root.ts';
import { readProfile } from '../../../../src/reconcile/profile/load.ts';
import { ProfileError } from '../../../../src/reconcile/profile/problem.ts';
import { confirmedProfile, guessesIn } from '../../../../src/reconcile/proposal/confirm.ts';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';

const FILES = packageFile('test/fixtures/guide');
const STATEMENTS = readdirSync(FILES).filter((name) => /^(wallet|bank|settlement).*\.csv$/.test(name));

test.each(STATEMENTS)(
  'every guess of %s is named with its reason, and a profile reads once each is confirmed',
  async (name) => {
    const { text, guesses } = await proposeProfile(`${FILES}/${name}`);
    const shown = guessesIn(text);
    expect(shown.map(({ path, value }) => ({ path, value }))).toEqual(
      guesses.map(({ path, value }) => ({ path, value: String(value) })),
    );
    expect(shown.every(({ why }) => why !== null && why !== '')).toBe(true);
    expect(() => readProfile(text, 'the profile')).toThrow(ProfileError);
    const profile = readProfile(
      confirmedProfile(
        text,
        shown.map(({ value }) => value),
      ),
      'the profile',
    );
    expect(guessesIn(profile.source.text)).toEqual([]);
    expect(profile.columns.date).toBe('Date');
  },
);

test('what a person mends stands in the profile, and what is emptied is left out', async () => {
  const { text } = await proposeProfile(`${FILES}/wallet-october.csv`);
  const values = guessesIn(text).map(({ path, value }) => {
    if (path === 'name') return 'my "wallet": #1'.replace(/[^\w-]+/g, '-');
    return path.startsWith('balance.closing') || path.startsWith('covers') || path === 'duty' ? '' : value;
  });
  const profile = readProfile(confirmedProfile(text, values), 'the profile');
  expect(profile.source.name).toBe('my-wallet-1');
  expect(profile).toMatchObject({ balance: { running: 'Balance' }, covers: {} });
  expect(profile.balance.closing).toBeUndefined();
  expect(profile.duty).toBeUndefined();
});

test('a value cannot become another setting', async () => {
  const { text } = await proposeProfile(`${FILES}/wallet-october.csv`);
  const values = guessesIn(text).map(({ path, value }) => (path === 'account' ? 'a"\nkind: "bank" #' : value));
  const confirmed = confirmedProfile(text, values);
  expect(confirmed.split('\n').filter((row) => row.startsWith('kind:'))).toHaveLength(1);
});

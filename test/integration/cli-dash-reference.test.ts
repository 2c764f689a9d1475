import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
  db.keepAndApply(refund('-R1', 'success'), refund('-R1', 'failed'));
});
afterEach(() => db.remove());

const env = () => ({ TALLYHOOK_DATABASE: db.path, TALLYHOOK_BASE_URL: 'http://127.0.0.1:9', ...TEST_KEY_ENV });
const run = (...args: string[]) => command(args, { cwd: db.folder, env: env() });
/** The commands that a text advises, as words; of a command with a place to fill in, with `payout`. */
const advised = (text: string) =>
  [...text.matchAll(/tallyhook ((?:[a-z]+ )+(?:KIND )?(?:-- -[\w-]+|--reference=-[\w-]+|-[\w-]+))/g)].map(
    ([, words = '']) => words.replace('KIND', 'payout').split(' '),
  );

test('an advised command takes a reference that begins with a dash', async () => {
  const month = ['--from', '2026-01-01', '--to', '2026-12-31', '--json'];
  const texts = [
    await run('why', '--', '-NONE'),
    await run('refunds', 'show', '--', '-NONE'),
    await run('findings', 'show', '1'),
    await run('reconcile', ...month),
  ].map(({ stdout, stderr }) => stdout + stderr);
  const commands = texts.flatMap(advised);
  expect(new Set(commands.map((words) => words.join(' ')))).toEqual(
    new Set([
      'refunds status -- -NONE',
      'track payout -- -NONE',
      'events list --reference=-NONE',
      'why -- -R1',
      'sweep --reference=-R1',
    ]),
  );
  for (const words of commands) {
    // The service of this test does not answer.
    const { code, stderr } = await run(...words, ...(words[0] === 'sweep' ? ['--dry-run'] : []));
    expect([words, code === 2 ? stderr : '']).toEqual([words, '']);
  }
});

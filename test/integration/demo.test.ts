import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Story } from '../../cli/commands/demo/story.ts';
import { temporaryFolder } from '../support/receiver.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = temporaryFolder();

test.each([2, 3])(
  'receiver and books differ only by named planted faults, and the sweep repairs lost webhooks (seed %i)',
  async (seed) => {
    const { code, stdout, stderr } = await tallyhook(['demo', '--seed', String(seed), '--json'], { cwd });
    expect(stderr).toBe('');
    const { counts, records, differences, sweep, left, findings } = JSON.parse(stdout) as Story;
    expect(counts.length).toBe(8);
    expect(counts.map(({ what, found }) => [what, found])).toEqual(
      counts.map(({ what, expected }) => [what, expected]),
    );
    expect(records).toBe(21);
    const causes = differences.map(({ record, because }) => [record.split(' ')[0], because]);
    expect(causes.toSorted()).toEqual([
      ['collection', 'transaction.successful never sent'],
      ['refund', 'refund.success never sent'],
      ['refund', 'refund.success sent again with another amount under the same key'],
    ]);
    expect(sweep).toMatchObject({ checked: 21, confirmed: 21, repaired: 2, failed: {}, stopped: null });
    // The service confirmed the amount of which the webhooks sent two, and the findings stay.
    expect(left).toEqual([]);
    expect(findings.map(({ code }) => code).toSorted()).toEqual(['fact_conflict', 'tie', 'variant']);
    expect(code).toBe(0);
  },
);

test('the demo uses no variable of the environment and leaves no file behind', async () => {
  const env = { TALLYHOOK_DATABASE: join(cwd, 'mine.db'), TALLYHOOK_TEST_SECRET_KEY: 'not a key', TMPDIR: cwd };
  const { code, stdout } = await tallyhook(['demo'], { cwd, env });
  expect(code).toBe(0);
  expect(stdout).toContain('agrees');
  expect(stdout).not.toContain('UNEXPLAINED');
  expect(readdirSync(cwd)).toEqual([]);
});

import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Occurrences } from '../../../../src/reconcile/file/occurrences.ts';
import { seededRandom } from '../../../support/random.ts';

test('of 50,000 fingerprints in any order, each is counted as often as it came before', () => {
  const random = seededRandom(1);
  const [occurrences, before] = [new Occurrences(), new Map<string, number>()];
  for (let n = 0; n < 50_000; n++) {
    const fingerprint = hash('sha256', `${Math.floor(random() * 30_000)}`, 'hex');
    const times = (before.get(fingerprint) ?? 0) + 1;
    before.set(fingerprint, times);
    if (occurrences.count(fingerprint) !== times) expect.fail(`${fingerprint} is not counted as ${times}`);
  }
  expect(Math.max(...before.values())).toBeGreaterThan(5);
});

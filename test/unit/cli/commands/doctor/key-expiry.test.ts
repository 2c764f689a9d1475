import { expect, test } from 'vitest';
import { checkKeys } from '../../../../../cli/commands/doctor/setup-checks.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const SOON = '2026-11-21T10:00:00Z';
const hintsOf = (...pairs: { id: string; environment: 'test' | 'live'; notAfter: string | null }[]) =>
  checkKeys({ keyPairs: pairs } as never, NOW_MS).flatMap((check) => ('hint' in check ? [check.hint] : []));

test('of an expiring pair `doctor` asks for the new key where there is one, and for the next pair where there is none', () => {
  const ending = { id: 'live-1', environment: 'live', notAfter: SOON } as const;
  expect(hintsOf(ending, { ...ending, id: 'live-2', notAfter: null })).toEqual([
    expect.stringContaining('the new key'),
  ]);
  const alone = [expect.stringMatching(/^Add the next pair under keys\.live/)];
  expect(hintsOf(ending)).toEqual(alone);
  expect(hintsOf(ending, { id: 'test-1', environment: 'test', notAfter: null })).toEqual(alone);
  expect(hintsOf({ ...ending, notAfter: '2026-11-19T10:00:00Z' })).toEqual(alone);
});

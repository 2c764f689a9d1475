import { describe, expect, test } from 'vitest';
import { type IntakeEntry, QUIET_MS, treatmentOf } from '../../../../src/domain/statements/statement-intake.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const file = { bytes: 100, modifiedAtMs: NOW - QUIET_MS };
const young = { bytes: 100, modifiedAtMs: NOW - QUIET_MS + 1 };
const ahead = { bytes: 100, modifiedAtMs: NOW + 3_600_000 };

const entry = (over: Partial<IntakeEntry>): IntakeEntry => ({
  ...file,
  path: 'wallet/a.csv',
  outcome: 'taken',
  seenAtMs: NOW - QUIET_MS,
  sinceMs: NOW - QUIET_MS,
  sha256: 'content',
  profileDigest: null,
  statement: 1,
  reason: null,
  hint: null,
  ...over,
});
const refused = entry({ outcome: 'refused', profileDigest: 'profile', statement: null, reason: 'It is wrong.' });

describe('a file of the statements folder', () => {
  test.each([
    ['that is new and a minute old is tried', file, null, 'try'],
    ['that is new and younger waits', young, null, 'wait'],
    ['from a clock that is ahead waits', ahead, null, 'wait'],
    [
      'from a clock that is ahead is tried after two equal looks',
      ahead,
      entry({ ...ahead, outcome: 'waiting' }),
      'try',
    ],
    [
      'from a clock that is ahead waits when the other look is younger than a minute',
      ahead,
      entry({ ...ahead, outcome: 'waiting', seenAtMs: NOW - QUIET_MS + 1 }),
      'wait',
    ],
    [
      'that has grown since the other look waits',
      { ...ahead, bytes: 101 },
      entry({ ...ahead, outcome: 'waiting' }),
      'wait',
    ],
    ['that is taken is left alone', file, entry({}), 'nothing'],
    ['that has another content since it was taken is tried', { ...file, bytes: 101 }, entry({}), 'try'],
    ['that was refused is left alone', file, refused, 'nothing'],
    ['that was refused and has another time is tried', { ...file, modifiedAtMs: 1 }, refused, 'try'],
    ['that was refused by another profile is tried', file, { ...refused, profileDigest: 'other' }, 'try'],
    ['that was refused, but not for good, is tried', file, { ...refused, sha256: null }, 'try'],
    ['that waited for its profile is tried', file, entry({ outcome: 'waiting', sha256: null }), 'try'],
  ] as const)('%s', (_, found, known, treatment) => {
    expect(treatmentOf(found, known, 'profile', NOW)).toBe(treatment);
  });
});

test('a file is complete after a minute without a change', () => {
  expect(QUIET_MS).toBe(60_000);
});

import { describe, expect, test } from 'vitest';
import {
  isRecord,
  kindOf,
  namesOf,
  requireArgument,
  requireKnown,
  requireObject,
  requireText,
  unknownMember,
} from '../../../src/domain/misuse.ts';

function refusal(call: () => void) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}

test.each<[unknown, string, boolean]>([
  [undefined, 'missing', false],
  [null, 'null', false],
  [['a'], 'a list', false],
  ['sk_live', 'a text', false],
  ['', 'a text', false],
  [5, 'a number', false],
  [5n, 'a bigint', false],
  [() => 0, 'a function', false],
  [{}, 'an object', true],
])('%s is named by its kind, never quoted: %s', (value, kind, hasMembers) => {
  expect(kindOf(value)).toBe(kind);
  expect(isRecord(value)).toBe(hasMembers);
});

describe('a wrong argument', () => {
  test('is refused with its name, its kind and what to write', () => {
    expect(refusal(() => requireArgument('timeoutMs', '5', false, 'a number above 0'))).toMatchObject({
      kind: 'usage',
      message: 'timeoutMs is a text, and must be a number above 0.',
    });
    expect(refusal(() => requireArgument('timeoutMs', 5, true, 'a number above 0'))).toBeNull();
  });

  test('in place of an object is refused with the call as it should be', () => {
    expect(refusal(() => requireObject('options', ['a'], 'verify({ body })'))).toMatchObject({
      kind: 'usage',
      message: 'options is a list, and must be an object: verify({ body }).',
    });
    expect(refusal(() => requireObject('options', {}, 'verify({ body })'))).toBeNull();
  });

  test('in place of a text is refused', () => {
    expect(refusal(() => requireText('reference', 7))).toMatchObject({
      kind: 'usage',
      message: 'reference is a number, and must be a text.',
    });
    expect(refusal(() => requireText('reference', ''))).toBeNull();
  });
});

describe('a member that is not known', () => {
  const known = namesOf<{ timeoutMs: number; Retry: number }>({ timeoutMs: true, Retry: true });

  test.each([
    ['timeout', ': did you mean timeoutMs?'],
    ['timeoutMsec', ': did you mean timeoutMs?'],
    ['TIMEOUTMS', ': did you mean timeoutMs?'],
    ['retry', ': did you mean Retry?'],
    ['outMs', '.'],
    ['url', '.'],
    ['', '.'],
  ])('%j is named, with the nearest known one', (name, advice) => {
    expect(unknownMember({ timeoutMs: 1, [name]: 2 }, known)).toEqual({
      name,
      rule: `is not known here${advice} Known: timeoutMs, Retry`,
    });
  });

  test('is shown up to 80 characters of well-formed text', () => {
    const names = [80, 81].map((length) => unknownMember({ ['x'.repeat(length)]: 1 }, known)?.name);
    expect(names).toEqual(['x'.repeat(80), 'x'.repeat(80)]);
    expect(unknownMember({ '\ud800': 1 }, known)?.name).toBe('\ufffd');
  });

  test('is refused', () => {
    expect(refusal(() => requireKnown({ url: 1 }, known))).toMatchObject({
      kind: 'usage',
      message: 'url is not known here. Known: timeoutMs, Retry.',
    });
    expect(refusal(() => requireKnown({ timeoutMs: 1 }, known))).toBeNull();
    expect(unknownMember({}, known)).toBeNull();
  });
});

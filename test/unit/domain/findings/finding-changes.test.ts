import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FINDING_CODES, type Finding, OBSERVED_CODES } from '../../../../src/domain/findings/finding.ts';
import { findingChanges } from '../../../../src/domain/findings/finding-changes.ts';

const tie: Finding = { code: 'tie', subject: 'pending', detail: 'both' };
const stuck: Finding = { code: 'stuck', subject: 'status', detail: 'not settled' };
const NOTHING = { opened: [], changed: [], closed: [] };

test.each([
  ['new: opened', [], [tie], { ...NOTHING, opened: [tie] }],
  ['open already: stays', [tie], [tie], NOTHING],
  ['gone: closed', [tie], [], { ...NOTHING, closed: [tie] }],
  [
    'another detail: changed',
    [tie],
    [{ ...tie, detail: 'three' }],
    { ...NOTHING, changed: [{ open: tie, detail: 'three' }] },
  ],
  [
    'another subject: another finding',
    [tie],
    [{ ...tie, subject: 'failed' }],
    { opened: [{ ...tie, subject: 'failed' }], changed: [], closed: [tie] },
  ],
  ['of a code out of scope: stays', [stuck], [], NOTHING],
])('a finding %s', (_, open, current, changes) => {
  expect(findingChanges(open, current, OBSERVED_CODES)).toEqual(changes);
});

test('afterwards the open findings of the scope are the current ones, and the others are as before', () => {
  const finding = fc.record({
    code: fc.constantFrom(...FINDING_CODES),
    subject: fc.constantFrom('a', 'b'),
    detail: fc.constantFrom('x', 'y'),
  });
  const selector = ({ code, subject }: Finding) => `${code} ${subject}`;
  const findings = fc.uniqueArray(finding, { selector });
  fc.assert(
    fc.property(findings, findings, fc.subarray([...FINDING_CODES]), (open, all, scope) => {
      const current = all.filter(({ code }) => scope.includes(code));
      const { opened, changed, closed } = findingChanges(open, current, scope);
      const details = new Map(changed.map((one) => [one.open, one.detail]));
      const left = open
        .filter((one) => !closed.includes(one))
        .map((one) => ({ ...one, detail: details.get(one) ?? one.detail }));
      const expected = [...open.filter(({ code }) => !scope.includes(code)), ...current];
      const sorted = (list: Finding[]) => list.map((one) => JSON.stringify(one)).sort();
      expect(sorted([...left, ...opened])).toEqual(sorted(expected));
      expect(findingChanges([...left, ...opened], current, scope)).toEqual(NOTHING);
    }),
  );
});

import { expect, test } from 'vitest';
import { claimsByKey, keyClaim } from '../../../../src/domain/records/key-claim.ts';
import type { Observation } from '../../../../src/domain/records/observation.ts';
import { at, webhook } from '../observations.ts';

const content = (data: Record<string, unknown>, status = 'success'): Observation =>
  webhook('payout', status, { ...at('10:00'), account_name: 'ADA', narration: 'rent', fee: '1.00', ...data });
const ada = content({});
const decided = ({ status, time, details }: ReturnType<typeof keyClaim>) => ({
  status,
  time,
  name: details?.accountName,
  narration: details?.narration,
});

test('one content is the claim of its key', () => {
  expect(keyClaim('K', [ada])).toEqual({
    eventKey: 'K',
    contents: [ada],
    status: 'success',
    time: ada.claim.time,
    details: ada.claim.details,
  });
});

test.each([
  ['agree in all', ada, { name: 'ADA', narration: 'rent' }],
  ['disagree in one personal detail', content({ account_name: 'BEA' }), { name: null, narration: 'rent' }],
  ['disagree because one was pruned of it', content({ account_name: null }), { name: null, narration: 'rent' }],
])('contents that %s: what they agree in stays, in either order', (_, other, left) => {
  for (const contents of [
    [ada, other],
    [other, ada],
    [ada, other, ada],
  ])
    expect(decided(keyClaim('K', contents))).toEqual({ status: 'success', time: ada.claim.time, ...left });
});

test('contents that disagree in another detail claim no details', () => {
  expect(keyClaim('K', [ada, content({ fee: '2.00' })]).details).toBeNull();
  expect(keyClaim('K', [ada, content({ bank_name: 'A', fee: '1.0' })]).details).toBeNull();
  expect(keyClaim('K', [ada, content({ fee: '1.0' })]).details).toEqual(ada.claim.details);
});

test('contents that disagree in the status claim none', () => {
  const failed = content({}, 'failed');
  expect(keyClaim('K', [ada, failed])).toMatchObject({ status: null, contents: [ada, failed] });
  expect(keyClaim('K', [failed, ada]).status).toBeNull();
});

test('contents of two times claim the earlier, in either order', () => {
  const later = content(at('11:00'));
  for (const contents of [
    [ada, later],
    [later, ada],
  ])
    expect(keyClaim('K', contents).time).toBe(ada.claim.time);
});

test('each key has one claim of all its contents', () => {
  const [first, second] = ['one', 'two'].map((eventKey) => ({ ...ada, eventKey }));
  if (first === undefined || second === undefined) throw new Error('two keys');
  const claims = claimsByKey([first, second, first]);
  expect(claims.map(({ eventKey, contents }) => [eventKey, contents.length])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
});

test('the order in which details are kept decides nothing', () => {
  const details = Object.fromEntries(Object.entries(ada.claim.details).toReversed());
  const reordered = { ...ada, claim: { ...ada.claim, details } };
  expect(keyClaim('K', [ada, reordered]).details).toEqual(ada.claim.details);
});

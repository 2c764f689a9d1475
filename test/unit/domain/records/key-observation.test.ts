import { expect, test } from 'vitest';
import { keyObservation, observationsByKey } from '../../../../src/domain/records/key-observation.ts';
import type { Observation } from '../../../../src/domain/records/observation.ts';
import { at, webhook } from '../observations.ts';

const content = (data: Record<string, unknown>, status = 'success'): Observation =>
  webhook('payout', status, { ...at('10:00'), account_name: 'ADA', narration: 'rent', fee: '1.00', ...data });
const ada = content({});
const decided = ({ status, time, details }: ReturnType<typeof keyObservation>) => ({
  status,
  time,
  name: details?.accountName,
  narration: details?.narration,
});

test('one content is what its key states', () => {
  expect(keyObservation('K', [ada])).toEqual({
    eventKey: 'K',
    contents: [ada],
    status: 'success',
    time: ada.stated.time,
    details: ada.stated.details,
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
    expect(decided(keyObservation('K', contents))).toEqual({ status: 'success', time: ada.stated.time, ...left });
});

test('contents that disagree in another detail state no details', () => {
  expect(keyObservation('K', [ada, content({ fee: '2.00' })]).details).toBeNull();
  expect(keyObservation('K', [ada, content({ bank_name: 'A', fee: '1.0' })]).details).toBeNull();
  expect(keyObservation('K', [ada, content({ fee: '1.0' })]).details).toEqual(ada.stated.details);
});

test('contents that disagree in the status state none', () => {
  const failed = content({}, 'failed');
  expect(keyObservation('K', [ada, failed])).toMatchObject({ status: null, contents: [ada, failed] });
  expect(keyObservation('K', [failed, ada]).status).toBeNull();
});

test('contents of two times state the earlier, in either order', () => {
  const later = content(at('11:00'));
  for (const contents of [
    [ada, later],
    [later, ada],
  ])
    expect(keyObservation('K', contents).time).toBe(ada.stated.time);
});

test('each key counts as one observation of all its contents', () => {
  const [first, second] = ['one', 'two'].map((eventKey) => ({ ...ada, eventKey }));
  if (first === undefined || second === undefined) throw new Error('two keys');
  const observations = observationsByKey([first, second, first]);
  expect(observations.map(({ eventKey, contents }) => [eventKey, contents.length])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
});

test('the order in which details are kept decides nothing', () => {
  const details = Object.fromEntries(Object.entries(ada.stated.details).toReversed());
  const reordered = { ...ada, stated: { ...ada.stated, details } };
  expect(keyObservation('K', [ada, reordered]).details).toEqual(ada.stated.details);
});

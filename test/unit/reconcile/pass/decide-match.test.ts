import { expect, test } from 'vitest';
import { type DecisionOrder, decideMatch } from '../../../../src/reconcile/pass/decide-match.ts';
import type { MatchDetail, MatchSummary } from '../../../../src/store/runs.ts';

const MATCH: MatchDetail = {
  ...{ id: 18, leg: 'batch-bank', kind: 'batch', environment: 'live', reference: 'STL-1', recordId: null, lineId: 7 },
  ...{ statement: 2, row: 5, account: 'bank', date: '2026-10-05', currency: 'NGN', amount: 100n, run: 1 },
  ...{ pass: 'amount_and_date', state: 'suggested', decision: null, endedIn: 2 },
};
const decision = { verdict: 'together', by: 'ada', atMs: 5, comment: null } as const;

async function refusalOf(
  verdict: DecisionOrder['verdict'],
  match: Partial<MatchDetail>,
  valid: Partial<MatchSummary>[],
) {
  const archive = {
    match: async () => ({ ...MATCH, ...match }),
    matches: async () => valid.map((one) => ({ ...MATCH, ...one })),
  };
  const decide = () => expect.unreachable('it was kept');
  const order = { id: 18, verdict, by: 'ben', comment: null, shown: (atMs: number) => `shown ${atMs}` };
  const { message, hint } = await decideMatch(order, archive, { decide }).catch((error) => error);
  return [message, hint];
}

test('a match that a run found again under another number is named by that', async () => {
  const other = { id: 30, lineId: 8 };
  expect(await refusalOf('apart', { decision }, [other, { id: 31 }])).toEqual([
    'Match 18 has ended: run 2 found the pair again as match 31.',
    'For that one: tallyhook matches undo 31',
  ]);
  expect(await refusalOf('together', {}, [{ id: 31 }])).toEqual([
    'Match 18 has ended: run 2 found the pair again as match 31.',
    'For that one: tallyhook matches confirm 31',
  ]);
  expect(await refusalOf('apart', {}, [other])).toEqual([
    'Match 18 has ended: run 2 found it no more.',
    'List those that are valid: tallyhook matches list',
  ]);
});

test('the time of a decision is shown as all others are', async () => {
  expect((await refusalOf('together', { decision }, []))[0]).toBe('Match 18 was confirmed already: by ada, shown 5.');
  const undone = { decision: { ...decision, verdict: 'apart' } } as const;
  expect((await refusalOf('apart', undone, []))[0]).toBe('Match 18 was undone already: by ada, shown 5.');
});

import type { FoundBreak, KeptBreak, KeptMatch, RunOrder } from '../../../src/store/runs.ts';
import type { Handle } from './handle.ts';
import { digestOf } from './importing.ts';

/* What a guarantee does with runs of the reconciliation, through the port. Lines are the letters of importing.ts. */

export const runOf = (over: Partial<RunOrder> = {}): RunOrder => ({
  from: '2026-11-01',
  to: '2026-11-30',
  asAtMs: 1_000,
  zone: 'Africa/Lagos',
  cutOffMinutes: 0,
  environment: null,
  account: null,
  what: 'all',
  rules: { name: 'standard', digest: digestOf('rules'), text: 'version: 1\n' },
  ...over,
});

export async function begunRun(handle: Handle, over: Partial<RunOrder> = {}): Promise<number> {
  const { runs } = await handle.operations();
  return (await runs.beginRun(runOf(over))).run;
}

/** The id of the line that a letter names. */
export async function lineId(handle: Handle, letter: string): Promise<number> {
  const archive = await handle.archive();
  const [line] = await archive.linesNaming(letter, 1);
  if (line === undefined) throw new Error(`There is no line ${letter}.`);
  return line.lineId;
}

/** The line of a letter, and the collection with that reference. */
export async function matchOf(handle: Handle, letter: string, over: Partial<KeptMatch> = {}): Promise<KeptMatch> {
  return {
    leg: 'records-wallet',
    lineId: await lineId(handle, letter),
    kind: 'collection',
    recordId: 7,
    reference: letter,
    pass: 'reference',
    state: 'confirmed',
    ...over,
  };
}

export const breakOf = (reference: string, over: Partial<KeptBreak> = {}): KeptBreak => ({
  id: `x-${digestOf(`break ${reference}`).slice(0, 24)}`,
  code: 'missing_external',
  sub: null,
  leg: 'records-wallet',
  side: 'ours',
  kind: 'collection',
  environment: 'test',
  account: 'wallet',
  reference,
  field: null,
  currency: 'NGN',
  ours: '100.00',
  theirs: null,
  variance: null,
  effect: '-98.00',
  line: null,
  candidates: [],
  date: '2026-11-03',
  firstSeen: '2026-11-03',
  reason: 'no line of a wallet names it',
  nextStep: 'Ask the service.',
  recordId: 7,
  ...over,
});

export interface RunContents {
  readonly matches?: readonly KeptMatch[];
  readonly ended?: readonly number[];
  readonly breaks?: readonly KeptBreak[];
}

/** Writes a whole run, and returns its number. */
export async function wholeRun(
  handle: Handle,
  { matches = [], ended = [], breaks = [] }: RunContents,
  over: Partial<RunOrder> = {},
): Promise<number> {
  const { runs } = await handle.operations();
  const run = await begunRun(handle, over);
  await runs.endMatches({ run, ids: ended });
  await runs.keepMatches({ run, matches });
  await runs.keepBreaks({ run, breaks });
  await runs.finishRun({ run, report: '{}' });
  return run;
}

const PAGE = { limit: 1_000, order: 'oldest' } as const;

/** The references of the valid matches, the oldest first. */
export async function matched(handle: Handle): Promise<string[]> {
  return (await (await handle.archive()).matches({}, PAGE)).map(({ reference }) => reference);
}

export async function matchIds(handle: Handle): Promise<number[]> {
  return (await (await handle.archive()).matches({}, PAGE)).map(({ id }) => id);
}

export async function broken(handle: Handle, run?: number): Promise<FoundBreak[]> {
  return (await handle.archive()).breaks(run === undefined ? {} : { run }, PAGE);
}

/** Deletes what counts no more; returns in how many steps. */
export async function cleared(handle: Handle): Promise<number> {
  const { runs } = await handle.operations();
  for (let steps = 0; ; steps++) if ((await runs.clear()).done) return steps;
}

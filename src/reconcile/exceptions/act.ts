import { type ActOrder, type ActResult, type Exceptions, MOST_ACTS } from '../../store/exceptions.ts';
import { followRuns } from './follow.ts';

/** Carries out acts of persons on the queue as the last whole run left it. The results are in the order of the acts. */
export async function actOnExceptions(
  { acts, ...rules }: Pick<ActOrder, 'acts' | 'reasons' | 'accountSets'>,
  exceptions: Pick<Exceptions, 'follow' | 'act'>,
): Promise<ActResult[]> {
  await followRuns(exceptions);
  const results: ActResult[] = [];
  for (let start = 0; start < acts.length; start += MOST_ACTS) {
    results.push(...(await exceptions.act({ ...rules, acts: acts.slice(start, start + MOST_ACTS) })));
  }
  return results;
}

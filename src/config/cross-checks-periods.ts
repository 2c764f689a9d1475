import { type CrossProblem, mapAt } from './cross-problem.ts';

/** An account that two sets close would have two preparers. */
export function sharedAccounts(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const firstUse = new Map<string, string>();
  return Object.entries(mapAt(mapAt(tree, 'periods'), 'sets')).flatMap(([name, set]) => {
    const { environment, accounts } = Object(set) as { environment?: unknown; accounts?: unknown };
    return (Array.isArray(accounts) ? accounts : []).flatMap((account, index) => {
      const key = JSON.stringify([environment, account]);
      const earlier = firstUse.get(key);
      if (earlier === undefined) {
        firstUse.set(key, name);
        return [];
      }
      const rule = `is an account of periods.sets.${earlier}, too; an account is closed once`;
      return [{ path: ['periods', 'sets', name, 'accounts', index], rule }];
    });
  });
}

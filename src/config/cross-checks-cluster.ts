import { readServerAddress } from '../domain/cluster/server-address.ts';
import { type CrossProblem, mapAt } from './cross-problem.ts';

/** A password of PostgreSQL that stands in the file itself. `isWritten`: the value is there as text, and not by a variable or a file. */
export function openPasswords(
  tree: Readonly<Record<string, unknown>>,
  isWritten: (path: readonly PropertyKey[]) => boolean,
): CrossProblem[] {
  const { url, password, upkeep } = mapAt(tree, 'cluster');
  const address = typeof url === 'string' ? readServerAddress(url) : null;
  const inUrl = address !== null && typeof address !== 'string' && address.password !== null;
  const places: (readonly [path: readonly PropertyKey[], holdsOne: boolean, rule: string])[] = [
    [['cluster', 'url'], inUrl, `holds a password: take it out, and set cluster.password to ${ADVICE}`],
    [['cluster', 'password'], typeof password === 'string', `stands in the file itself: write ${ADVICE}`],
    [
      ['cluster', 'upkeep', 'password'],
      typeof (Object(upkeep) as { password?: unknown }).password === 'string',
      `stands in the file itself: write ${ADVICE}`,
    ],
  ];
  return places.flatMap(([path, holdsOne, rule]) => (holdsOne && isWritten(path) ? [{ path, rule }] : []));
}

const ADVICE = '{file: PATH}, or a variable: $' + '{NAME}';

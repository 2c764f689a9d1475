import leven from 'leven';

/** The known name nearest to `unknown`, when it is near enough to be what was meant; case, `_` and `-` do not count. */
export function didYouMean(unknown: string, known: Iterable<string>): string | undefined {
  const wanted = comparable(unknown);
  let nearest: string | undefined;
  let nearestDistance = wanted.length <= 3 ? 2 : Math.max(3, Math.floor(wanted.length / 3) + 1);
  for (const name of known) {
    const distance = leven(wanted, comparable(name));
    if (distance < nearestDistance && distance < comparable(name).length) {
      nearest = name;
      nearestDistance = distance;
    }
  }
  return nearest;
}

function comparable(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

import leven from 'leven';

/** Returns the known name nearest to `unknown`, if it is near enough for a typing mistake; ignores case, `_` and `-`. */
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

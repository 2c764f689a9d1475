import leven from 'leven';

/**
 * Returns the known name nearest to `unknown`, if it is near enough for a typing mistake: in a word of up to 4 letters one letter, or
 * two that changed places. Ignores case, `_` and `-`.
 */
export function didYouMean(unknown: string, known: Iterable<string>): string | undefined {
  const wanted = comparable(unknown);
  let nearest: string | undefined;
  let nearestDistance = wanted.length <= 4 ? 2 : Math.max(3, Math.floor(wanted.length / 3) + 1);
  for (const name of known) {
    const distance = hasSwap(wanted, comparable(name)) ? 1 : leven(wanted, comparable(name));
    if (distance < nearestDistance && distance < comparable(name).length) {
      nearest = name;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** Whether two letters beside each other changed places: `dorp` for `drop`. */
function hasSwap(one: string, other: string): boolean {
  if (one.length !== other.length || one === other) return false;
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index]);
  return other === one.slice(0, at) + one.charAt(at + 1) + one.charAt(at) + one.slice(at + 2);
}

function comparable(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

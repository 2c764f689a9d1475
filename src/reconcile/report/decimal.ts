// Exact sums of decimal texts, of any size: what a run added up may have more digits than one amount can.

/** Returns the sum, with at least two decimals. */
export function sumOf(amounts: Iterable<string>): string {
  let [units, scale] = [0n, 2];
  for (const amount of amounts) {
    const [whole = '', fraction = ''] = amount.split('.');
    const places = Math.max(scale, fraction.length);
    units = units * 10n ** BigInt(places - scale) + BigInt(whole + fraction.padEnd(places, '0'));
    scale = places;
  }
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns the amount without, or with, its minus. */
export function negated(amount: string): string {
  if (/^-?[0.]*$/.test(amount)) return sumOf([amount.replace('-', '')]);
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

export function isZero(amount: string): boolean {
  return /^-?[0.]*$/.test(amount);
}

/** Per cent of `part` and `rest` together, two decimals, rounded down: 100.00 is all of them. Null: there are none. */
export function rateOf(part: number, rest: number): string | null {
  const all = BigInt(part) + BigInt(rest);
  if (all === 0n) return null;
  const hundredths = (BigInt(part) * 10_000n) / all;
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}

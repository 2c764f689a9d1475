/** Minor units as exact decimal text: `-1234.50`. */
export function moneyText(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Exact decimal text with two decimals as minor units. */
export function minorOf(text: string): bigint {
  if (!/^-?\d+\.\d\d$/.test(text)) throw new Error(`no amount with two decimals: ${text}`);
  return BigInt(text.replace('.', ''));
}

export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** A part of an amount in thousandths, rounded half up: 7.5 % is 75. */
export function perMille(amount: bigint, thousandths: bigint): bigint {
  return (amount * thousandths + 500n) / 1_000n;
}

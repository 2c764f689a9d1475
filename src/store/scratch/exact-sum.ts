/** A sum that may need more than 64 bits is taken in two parts: whole billions, and what is left of them. */
const BILLION = 1_000_000_000n;

/** Two columns that `addedUp` reads. */
export function exactSum(expression: string, name: string): string {
  return `sum((${expression}) / ${BILLION}) AS ${name}_billions, sum((${expression}) % ${BILLION}) AS ${name}_rest`;
}

export function addedUp(row: Readonly<Record<string, unknown>>, name: string): bigint {
  const [billions, rest] = [row[`${name}_billions`], row[`${name}_rest`]];
  return ((billions as bigint | null) ?? 0n) * BILLION + ((rest as bigint | null) ?? 0n);
}

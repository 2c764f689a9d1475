/** A sum that may need more than 64 bits is taken in two parts: whole billions, and what is left of them. */
const BILLION = 1_000_000_000n;

/** The columns of an exact sum; null: there was nothing to add up. Read with whole 64-bit integers. */
export type ExactSum<Name extends string> = Readonly<Record<`${Name}_billions` | `${Name}_rest`, bigint | null>>;

/** Two columns that `addedUp` reads. */
export function exactSum(expression: string, name: string): string {
  return `sum((${expression}) / ${BILLION}) AS ${name}_billions, sum((${expression}) % ${BILLION}) AS ${name}_rest`;
}

export function addedUp(row: object, name: string): bigint {
  const { [`${name}_billions`]: billions, [`${name}_rest`]: rest } = row as Record<string, bigint | null | undefined>;
  return (billions ?? 0n) * BILLION + (rest ?? 0n);
}

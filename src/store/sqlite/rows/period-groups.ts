import type { FrozenGroup } from '../../runs.ts';

/** An open group as its row holds it, without its run. */
export interface GroupRow extends Pick<FrozenGroup, 'environment' | 'account' | 'currency'> {
  readonly group_key: string;
  readonly effect_minor: bigint;
  readonly proof_rows: string;
  readonly verdicts: string;
  readonly ours: string;
  readonly lines: string;
}

export const GROUP_COLUMNS = [
  'group_key',
  'environment',
  'account',
  'currency',
  'effect_minor',
  'proof_rows',
  'verdicts',
  'ours',
  'lines',
] as const;

export function rowFromGroup({
  key,
  rows,
  verdicts,
  ours,
  lines,
  environment,
  account,
  currency,
}: FrozenGroup): GroupRow {
  return {
    ...{ environment, account, currency },
    group_key: key,
    effect_minor: Object.values(rows).reduce((sum, minor) => sum + minor, 0n),
    proof_rows: JSON.stringify(Object.fromEntries(Object.entries(rows).map(([row, minor]) => [row, String(minor)]))),
    verdicts: JSON.stringify(verdicts),
    ours: JSON.stringify(ours),
    lines: JSON.stringify(lines),
  };
}

export function groupFromRow({
  group_key,
  proof_rows,
  verdicts,
  ours,
  lines,
  ...book
}: Omit<GroupRow, 'effect_minor'>): FrozenGroup {
  const rows: Readonly<Record<string, string>> = JSON.parse(proof_rows);
  return {
    ...book,
    key: group_key,
    rows: Object.fromEntries(Object.entries(rows).map(([row, minor]) => [row, BigInt(minor)])),
    verdicts: JSON.parse(verdicts),
    ours: JSON.parse(ours),
    lines: JSON.parse(lines),
  };
}

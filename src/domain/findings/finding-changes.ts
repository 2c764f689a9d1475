import type { Finding, FindingCode } from './finding.ts';

/** What a new set of findings changes of the open ones; `Open` is an open finding as the store names it. */
export interface FindingChanges<Open> {
  readonly opened: readonly Finding[];
  readonly changed: readonly { readonly open: Open; readonly detail: string }[];
  readonly closed: readonly Open[];
}

/**
 * `current` must be complete for the codes in `scope`: open findings of these codes that are not in it are closed. Findings of
 * other codes stay. A finding is the same while its code and subject are. Pure.
 */
export function findingChanges<Open extends Finding>(
  open: readonly Open[],
  current: readonly Finding[],
  scope: readonly FindingCode[],
): FindingChanges<Open> {
  const gone = new Map(open.filter(({ code }) => scope.includes(code)).map((one) => [nameOf(one), one]));
  const opened: Finding[] = [];
  const changed: { open: Open; detail: string }[] = [];
  for (const finding of current) {
    const known = gone.get(nameOf(finding));
    gone.delete(nameOf(finding));
    if (known === undefined) opened.push(finding);
    else if (known.detail !== finding.detail) changed.push({ open: known, detail: finding.detail });
  }
  return { opened, changed, closed: [...gone.values()] };
}

function nameOf({ code, subject }: Finding): string {
  return `${code} ${subject}`;
}

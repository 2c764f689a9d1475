import { print } from './output.ts';

/** Ids of one command line: more of them fill the screen. */
const MOST_IDS = 20;

/** Says which resolutions wait for the approval of a second person, and how it is given. In a dry run: which would. */
export function printWaiting(ids: readonly string[], { isDry = false }: { readonly isDry?: boolean } = {}): void {
  const one = ids.length === 1;
  if (ids.length === 0) return;
  const verb = isDry ? 'would wait' : one ? 'waits' : 'wait';
  print(
    `${ids.length} ${one ? 'resolution' : 'resolutions'} above the limit of the reason code ${verb} for the approval of a second person.`,
  );
  if (isDry) return;
  print(
    `Another person approves ${one ? 'it' : 'them'}: tallyhook exceptions approve ${ids.slice(0, MOST_IDS).join(' ')} --as NAME`,
  );
  if (ids.length > MOST_IDS) print(`and ${ids.length - MOST_IDS} more: tallyhook exceptions list --status resolved`);
}

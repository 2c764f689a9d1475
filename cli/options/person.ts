import { userInfo } from 'node:os';
import { PERSON_VARIABLE } from '../../src/config/variables.ts';
import { UsageError } from './options.ts';

/** Who says it, for a command that keeps the word of a person. */
export const PERSON_OPTIONS = {
  as: { type: 'string', requiresArg: true, describe: `Who says so [${PERSON_VARIABLE}, else your user name]` },
  comment: { type: 'string', requiresArg: true, describe: 'Why; it is kept beside' },
} as const;

const MOST_CHARACTERS = 100;

/**
 * The name of the person: `--as`, else TALLYHOOK_AS, else the user of the operating system; trimmed, in Unicode's composed form.
 *
 * @throws UsageError for an empty or overlong name, and where there is no user name
 */
export function personOf(argv: { readonly as: string | undefined }): string {
  const name = (argv.as ?? process.env[PERSON_VARIABLE] ?? userName()).normalize('NFC').trim();
  if (name === '') throw new UsageError('The name of who says so is empty.', HINT);
  if (name.length <= MOST_CHARACTERS) return name;
  throw new UsageError(`The name of who says so has ${name.length} characters; ${MOST_CHARACTERS} are allowed.`, HINT);
}

const HINT = `Give one with --as NAME, or in ${PERSON_VARIABLE}.`;

/** Empty where this process runs under a number without a name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

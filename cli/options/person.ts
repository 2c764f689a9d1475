import { userInfo } from 'node:os';
import { PERSON_VARIABLE, TOKEN_VARIABLE } from '../../src/config/variables.ts';
import { tokenName } from '../../src/domain/access/token.ts';
import { TALLYHOOK } from '../../src/domain/audit/entry.ts';
import {
  keptName,
  mixedScriptsText,
  nameProblem,
  samePerson,
  userNameProblem,
} from '../../src/domain/persons/person.ts';
import { note } from '../show/output.ts';
import { UsageError } from './options.ts';

/** Who says it, for a command that keeps the word of a person. */
export const PERSON_OPTIONS = {
  as: { type: 'string', requiresArg: true, describe: `Who says so [${PERSON_VARIABLE}, else your user name]` },
  comment: { type: 'string', requiresArg: true, describe: 'Why; it is kept beside' },
} as const;

/** For what may need a second person. */
export const REASON_OPTION = {
  reason: {
    type: 'string',
    requiresArg: true,
    describe: 'Why; where it needs a second person, it is asked for instead of done',
  },
} as const;

interface PersonArguments {
  readonly as: string | undefined;
}

/**
 * The name of the person: `--as`, else TALLYHOOK_AS, else that of the token in TALLYHOOK_TOKEN, else the user of the operating system; trimmed, in Unicode's composed form.
 *
 * @throws UsageError for a name that cannot stand for a person
 */
export function personOf({ as }: PersonArguments): string {
  return nameOf(as ?? process.env[PERSON_VARIABLE] ?? nameOfToken() ?? userName(), 'The name of who says so', HINT);
}

function nameOfToken(): string | null {
  const token = process.env[TOKEN_VARIABLE];
  if (token === undefined) return null;
  const name = tokenName(token);
  if (name !== null) return name;
  throw new UsageError(`${TOKEN_VARIABLE} holds no token.`, 'An admin makes one: tallyhook users token NAME');
}

/**
 * Who starts what a timer starts too: as `personOf`; the user `tallyhook` of the operating system, which is what services run as,
 * stands for the program itself.
 *
 * @throws UsageError as `personOf`
 */
export function starterOf(argv: PersonArguments): string {
  const isSaid = [argv.as, process.env[PERSON_VARIABLE], process.env[TOKEN_VARIABLE]].some(
    (said) => said !== undefined,
  );
  return !isSaid && samePerson(userName(), TALLYHOOK) ? TALLYHOOK : personOf(argv);
}

/** The name of a person as it is kept. @throws UsageError for one that cannot stand for a person; `what` names it there */
export function nameOf(text: string, what: string, hint?: string, problemOf = nameProblem): string {
  const name = keptName(text);
  const problem = problemOf(name);
  if (problem !== null) throw new UsageError(`${what} ${problem}.`, hint);
  const mixed = mixedScriptsText(what, name);
  if (mixed !== null) note(mixed);
  return name;
}

/** The name of a user that is added. @throws UsageError for one that no page could show */
export function newUserName(text: string): string {
  return nameOf(text, 'The name of the user', undefined, userNameProblem);
}

const HINT = `Give one with --as NAME, or in ${PERSON_VARIABLE}.`;

/** `uid 10001` where this process runs under a number without a name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

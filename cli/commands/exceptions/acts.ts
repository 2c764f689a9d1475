import { type Cli, UsageError } from '../../options/options.ts';
import { nameOf, PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { carryOut } from './carry-out.ts';

/** The ids that an act is about; several may be given. */
export const IDS = {
  type: 'string',
  array: true,
  demandOption: true,
  describe: 'Ids, such as x-0123456789abcdef01234567',
} as const;

const EXAMPLE_ID = 'x-0123456789abcdef01234567';

/** `tallyhook exceptions assign ID… --to NAME`: gives an open one to a person, or takes it back. */
export function addExceptionsAssignCommand(cli: Cli): Cli {
  return cli.command(
    'assign <ids..>',
    'Give exceptions to a person, or take them back (--to -)',
    (command) =>
      command
        .positional('ids', IDS)
        .option('to', {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'Who works on it; "-": removes the assignee',
        })
        .option('as', PERSON_OPTIONS.as)
        .example(`$0 exceptions assign ${EXAMPLE_ID} --to ada`, 'Ada works on it'),
    async (argv) => {
      const by = personOf(argv);
      const to = argv.to === '-' ? null : nameOf(argv.to, '--to');
      await carryOut(
        eachOnce(argv.ids).map((id) => ({ id, act: 'assign' as const, by, to })),
        argv,
      );
    },
  );
}

/** `tallyhook exceptions comment ID… TEXT`: adds a comment. */
export function addExceptionsCommentCommand(cli: Cli): Cli {
  return cli.command(
    'comment <id> <text..>',
    'Add a comment to an exception; several ids: before the text',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: `Its id, such as ${EXAMPLE_ID}` })
        .positional('text', { type: 'string', array: true, demandOption: true, describe: 'Further ids, then the text' })
        .option('as', PERSON_OPTIONS.as)
        .example(`$0 exceptions comment ${EXAMPLE_ID} "asked the bank"`, 'It stays beside the exception'),
    async (argv) => {
      const by = personOf(argv);
      const text = required(argv.text.at(-1) ?? '', 'The comment');
      await carryOut(
        eachOnce([argv.id, ...argv.text.slice(0, -1)]).map((id) => ({ id, act: 'comment' as const, by, text })),
        argv,
      );
    },
  );
}

/** `tallyhook exceptions reopen ID… --reason TEXT`: takes a resolution back. */
export function addExceptionsReopenCommand(cli: Cli): Cli {
  return cli.command(
    'reopen <ids..>',
    'Open resolved exceptions again',
    (command) =>
      command
        .positional('ids', IDS)
        .option('reason', { type: 'string', requiresArg: true, demandOption: true, describe: 'Why; it is kept' })
        .option('as', PERSON_OPTIONS.as)
        .example(`$0 exceptions reopen ${EXAMPLE_ID} --reason "the bank disagrees"`, 'Back into the queue'),
    async (argv) => {
      const by = personOf(argv);
      const reason = required(argv.reason, '--reason');
      await carryOut(
        eachOnce(argv.ids).map((id) => ({ id, act: 'reopen' as const, by, reason })),
        argv,
      );
    },
  );
}

/** `tallyhook exceptions approve ID…`: a second person says yes to a large one. */
export function addExceptionsApproveCommand(cli: Cli): Cli {
  return cli.command(
    'approve <ids..>',
    'Approve resolutions that need a second person',
    (command) =>
      command
        .positional('ids', IDS)
        .option('as', PERSON_OPTIONS.as)
        .example(`$0 exceptions approve ${EXAMPLE_ID} --as ben`, 'By another than who resolved it'),
    async (argv) => {
      const by = personOf(argv);
      await carryOut(
        eachOnce(argv.ids).map((id) => ({ id, act: 'approve' as const, by })),
        argv,
      );
    },
  );
}

export function eachOnce(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}

export function required(text: string, what: string): string {
  const trimmed = text.normalize('NFC').trim();
  if (trimmed !== '') return trimmed;
  throw new UsageError(`${what} is empty.`);
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Attachment, type NamedLine, RESOLUTIONS } from '../../../src/domain/exceptions/words.ts';
import { isDay } from '../../../src/domain/reconciling/business-day.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { eachOnce, IDS, required } from './acts.ts';
import { carryOut } from './carry-out.ts';

/** `tallyhook exceptions resolve ID…`: says what becomes of a difference. */
export function addExceptionsResolveCommand(cli: Cli): Cli {
  return cli.command(
    'resolve <ids..>',
    'Say what becomes of exceptions: accept, claim, match, undo_match, carry or ours',
    (command) =>
      command
        .positional('ids', IDS)
        .option('resolution', { choices: RESOLUTIONS, demandOption: true, describe: 'What becomes of it' })
        .option('reason-code', {
          type: 'string',
          requiresArg: true,
          describe: 'A reason code of the configuration; match and undo_match need none',
        })
        .options(PERSON_OPTIONS)
        .option('reference', {
          type: 'string',
          requiresArg: true,
          describe: 'Of the claim or the correction; or at the start of the comment, "ref: CLM-7; text"',
        })
        .option('follow-up', { type: 'string', requiresArg: true, describe: 'When to ask again, 2026-12-01' })
        .option('attach', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'A file that proves it: its name and digest are kept, not its bytes',
        })
        .option('line', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'STATEMENT:ROW that belongs to it; of a claim, the line that paid it',
        })
        .example(
          '$0 exceptions resolve x-0123456789abcdef01234567 --resolution accept --reason-code rounding',
          'A difference that we bear',
        )
        .example(
          '$0 exceptions resolve x-0123456789abcdef01234567 --resolution claim --reason-code service_error --comment "ref: CLM-7; overcharged" --follow-up 2026-12-01',
          'The service owes it',
        ),
    async (argv) => {
      const by = personOf(argv);
      const { resolution, followUp = null } = argv;
      if (followUp !== null && !isDay(followUp)) {
        throw new UsageError(`--follow-up is ${JSON.stringify(followUp)}: not a day.`, 'Give it as 2026-12-01.');
      }
      const said = {
        resolution,
        reasonCode: argv.reasonCode === undefined ? null : required(argv.reasonCode, '--reason-code'),
        reference: argv.reference === undefined ? null : required(argv.reference, '--reference'),
        comment: argv.comment === undefined ? null : required(argv.comment, '--comment'),
        followUp,
        lines: (argv.line ?? []).map(lineOf),
        attachments: await Promise.all((argv.attach ?? []).map(attachmentOf)),
      };
      await carryOut(
        eachOnce(argv.ids).map((id) => ({ id, act: 'resolve' as const, by, ...said })),
        argv,
      );
    },
  );
}

function lineOf(text: string): NamedLine {
  const [, statement, row] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  if (statement !== undefined && row !== undefined) return { statement: Number(statement), row: Number(row) };
  throw new UsageError(
    `--line is ${JSON.stringify(text)}: it must be STATEMENT:ROW, such as 3:17.`,
    'Both stand in: tallyhook statements show NUMBER',
  );
}

async function attachmentOf(file: string): Promise<Attachment> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw new UsageError(`--attach ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  return { name: basename(file), sha256: hash.digest('hex') };
}

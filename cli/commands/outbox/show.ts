import { TallyhookError } from '../../../src/domain/error.ts';
import { withArchive } from '../../context/archive.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { outboxDetailJson, printOutboxRow } from '../../show/outbox.ts';
import { differencesFound, printJson } from '../../show/output.ts';

/** `tallyhook outbox show ID`: shows a row with its attempts and its body. Exit code 3 when it is a dead letter. */
export function addOutboxShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one row: its attempts, and its body while it is kept',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its webhook-id: msg_…' })
        .options(REVEAL_OPTION)
        .example('$0 outbox show msg_0123456789abcdef0123456789abcdef', 'Why it was not accepted'),
    async (argv) => {
      const row = await withArchive(argv, (archive) => archive.outboxRow(argv.id));
      if (row === null) throw noRow(argv.id);
      if (argv.json) printJson(outboxDetailJson(row, argv));
      else printOutboxRow(row, argv);
      if (row.state === 'dead') differencesFound();
    },
  );
}

export function noRow(id: string): TallyhookError {
  return new TallyhookError(`There is no row ${id}.`, { kind: 'not_found', hint: 'List them: tallyhook outbox list' });
}

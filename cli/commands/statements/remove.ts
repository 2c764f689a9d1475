import { TallyhookError } from '../../../src/domain/error.ts';
import { counted } from '../../../src/domain/text/quantity-text.ts';
import { removeStatement } from '../../../src/reconcile/import/remove.ts';
import { accountText } from '../../../src/reconcile/import/words.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { orAsk } from '../../context/asking.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf, REASON_OPTION } from '../../options/person.ts';
import { answeredNo, note, print, printJson } from '../../show/output.ts';
import { progressBar } from '../../show/progress.ts';
import { time } from '../../show/text.ts';
import { noStatement, statementNumber } from './number.ts';

/** `tallyhook statements remove ID`: takes a statement out, with the lines that no other statement has. */
export function addStatementsRemoveCommand(cli: Cli): Cli {
  return cli.command(
    'remove <id>',
    'Remove a statement, with its lines that no other statement has',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its number in the list' })
        .option('as', PERSON_OPTIONS.as)
        .options(REASON_OPTION)
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; the file can be imported again' })
        .example('$0 statements remove 12 --yes', 'It stays in: statements list --removed'),
    async (argv) => {
      const id = statementNumber(argv.id);
      const by = personOf(argv);
      const config = await configFrom(argv);
      const summary = await withArchiveOf(config, (archive) => archive.statement(id));
      if (summary === null) throw noStatement(id);
      const { account, file, lines: total } = summary;
      const what = `${file.name}, ${counted(total, 'line')} of ${accountText(account)}`;
      if (!argv.yes)
        throw new UsageError(`Statement ${id} was not removed: ${what}.`, 'To do it, run it again with --yes.');
      const operations = await operationsOf(config);
      const stop = stopSignal('the statement shows no more; the next import into its account clears away its lines');
      const progress = progressBar(total, 'lines');
      try {
        const parts = { ...stop, onProgress: progress.step };
        const removed = await orAsk(
          async () => ({
            result: await removeStatement({ statement: id, by }, operations.statements, parts).finally(progress.end),
          }),
          argv,
          { by, ...operations, asked: () => ({ act: 'statement.remove', order: { statement: id } }) },
        );
        if (removed === null) return;
        const { result } = removed;
        if (result === null) throw removedBefore(id, summary.removedAtMs);
        const { lines, left, matches, stopped } = result;
        if (argv.json)
          printJson({ statement: id, account: account.name, file: file.name, lines, left, matches, stopped });
        else {
          const undone = matches === 0 ? '' : `; ${matches} ${matches === 1 ? 'match' : 'matches'} undone`;
          print(`Statement ${id} removed: ${what}; ${lines} are gone, ${left} stay with other statements${undone}`);
        }
        if (stopped) {
          note(
            'tallyhook: stopped; the statement shows no more, and its other lines are cleared away by the next import',
          );
          answeredNo();
        }
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}

function removedBefore(id: number, atMs: number | null): TallyhookError {
  const when = atMs === null ? 'meanwhile' : time(atMs);
  const hint = 'To have it again, import its file: tallyhook statements import FILE --profile PROFILE';
  return new TallyhookError(`Statement ${id} was removed already: ${when}.`, { kind: 'not_found', hint });
}

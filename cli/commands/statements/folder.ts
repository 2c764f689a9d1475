import type { IntakeEntry } from '../../../src/domain/statements/statement-intake.ts';
import { intakeColumns } from '../../../src/lists/statements.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound, note } from '../../show/output.ts';
import { isoTime } from '../../show/text.ts';

/** `tallyhook statements folder`: lists what became of the files in `reconcile.statementsFolder`. */
export function addStatementsFolderCommand(cli: Cli): Cli {
  return cli.command(
    'folder',
    'List what became of the files in the statements folder: taken, refused and why',
    (command) =>
      command
        .example('$0 statements folder', 'As the last run of the job found them')
        .example('$0 schedule run reconcile', 'Take what lies there now')
        .epilogue('Exit code 3: a file is refused.'),
    async (argv) => {
      await withArchive(argv, async (archive, config) => {
        const entries = await archive.intake();
        const { statementsFolder: folder } = config.reconcile;
        await printList(wholeList(entries), argv, {
          json: entryJson,
          columns: terminalColumns(intakeColumns()),
          empty: 'No file was found there yet.',
          besides: () => ({ folder }),
        });
        if (!argv.json) for (const text of notes(folder, entries)) note(text);
        if (entries.some(({ outcome }) => outcome === 'refused')) differencesFound();
      });
    },
  );
}

function entryJson({ path, outcome, statement, bytes, sha256, ...entry }: IntakeEntry) {
  const { modifiedAtMs, sinceMs, reason, hint } = entry;
  return {
    path,
    outcome,
    statement,
    bytes,
    sha256,
    modifiedAt: isoTime(modifiedAtMs),
    since: isoTime(sinceMs),
    reason,
    nextStep: hint,
  };
}

/** Where the files lie, and what to do about each sort of refusal. */
function notes(folder: string | null, entries: readonly IntakeEntry[]): string[] {
  if (folder === null) return ['reconcile.statementsFolder is not set: nothing is taken from a folder.'];
  const steps = new Map<string, string>();
  for (const { path, hint } of entries) if (hint !== null && !steps.has(hint)) steps.set(hint, `${path}: ${hint}`);
  return [`Folder: ${folder}`, ...steps.values()];
}

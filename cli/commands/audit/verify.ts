import { parseHead } from '../../../src/domain/audit/head.ts';
import { verdictWords } from '../../../src/lists/audit-verdict.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { differencesFound, note, print, printJson } from '../../show/output.ts';
import { progressBar } from '../../show/progress.ts';

/** `tallyhook audit verify`: holds the whole chain, and every row that it covers, against its key. Exit code 3 when something is bad. */
export function addAuditVerifyCommand(cli: Cli): Cli {
  return cli.command(
    'verify',
    'Check that nothing was changed past the chain; exit code 3 when something was',
    (command) =>
      command
        .option('head', { type: 'string', requiresArg: true, describe: 'A head noted elsewhere: SEQ:HASH' })
        .example('$0 audit verify', 'Every entry, the signature, and every row of the covered tables')
        .example('$0 audit verify --head 812:4be1…', 'Also that the chain still holds what was noted then')
        .epilogue('Exit code 2: the key is gone. What it proves, and what not: docs/security.md.'),
    async (argv) => {
      const noted = argv.head === undefined ? null : headIn(argv.head);
      const progress = progressBar(100, '% of the chain');
      const onProgress = (done: number, total: number) => progress.step(Math.floor((100 * done) / total));
      const verdict = await storeOf(await configFrom(argv))
        .auditVerdict({ noted, onProgress })
        .finally(progress.end);
      if (argv.json) printJson(verdict);
      else {
        const { sentences, next } = verdictWords(verdict);
        for (const sentence of sentences) print(sentence);
        if (next !== null) note(next);
      }
      if (!verdict.ok) differencesFound();
    },
  );
}

function headIn(text: string) {
  const head = parseHead(text);
  if (head !== null) return head;
  throw new UsageError(
    `--head ${text}: no head.`,
    'It is SEQ:HASH with 64 digits of a to f and 0 to 9, as tallyhook audit head prints it.',
  );
}

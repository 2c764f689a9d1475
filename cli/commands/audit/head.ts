import { headText } from '../../../src/domain/audit/head.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { note, printFacts, printJson } from '../../show/output.ts';
import { time } from '../../show/text.ts';

/** `tallyhook audit head`: prints the last entry as SEQ:HASH, for a person to note outside this machine. */
export function addAuditHeadCommand(cli: Cli): Cli {
  return cli.command(
    'head',
    'Print the head of the chain, to note it elsewhere',
    (command) =>
      command
        .example('$0 audit head', 'Note it where users who may write the database cannot change it')
        .example('$0 audit verify --head SEQ:HASH', 'Later: is that head still in the chain?'),
    async (argv) => {
      const head = await withArchive(argv, (archive) => archive.auditHead());
      const [text, at, signature] = head === null ? [null, null, null] : [headText(head), head.at, head.signature];
      if (argv.json) printJson({ head: text, at, signature });
      else if (text === null) note('No entries: there is no head yet.');
      else
        printFacts([
          ['head', text],
          ['at', time(at)],
          ['signature', signature],
        ]);
    },
  );
}

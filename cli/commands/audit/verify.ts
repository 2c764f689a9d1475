import type { AuditFault, AuditReason, AuditVerdict } from '../../../src/domain/audit/fault.ts';
import { parseHead } from '../../../src/domain/audit/head.ts';
import { SUBJECT_TABLES } from '../../../src/domain/audit/subjects.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { differencesFound, note, print, printJson } from '../../show/output.ts';

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
      const verdict = await storeOf(await configFrom(argv)).auditVerdict({ noted });
      if (argv.json) printJson(verdict);
      else printVerdict(verdict);
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

function printVerdict({ ok, entries, head, covers, firstBad }: AuditVerdict): void {
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (ok) {
    print(`The audit chain is whole: ${count}${head === null ? '' : `, head ${head}`}`);
    print(`Every row of ${covers.length} tables is as its last entry left it.`);
    return;
  }
  if (firstBad !== null) print(`The audit chain is bad (${firstBad.reason}): ${faultText(firstBad)}`);
  note('What to do now: docs/security.md, "When the chain is bad". Change nothing before the file is copied.');
}

const FAULTS: Readonly<Record<AuditReason, (fault: AuditFault) => string>> = {
  gap: ({ seq }) => `entry ${seq} is missing.`,
  hash: ({ seq }) => `entry ${seq} is not what it was when it was written.`,
  previous: ({ seq }) => `entry ${seq} does not follow the entry before it.`,
  signature: ({ seq }) =>
    `the head, entry ${seq}, is not signed by the key: the chain was changed without it, or the key is another one.`,
  subject: ({ seq, table, key }) => `${table} ${key} is not as entry ${seq} left it${ownRows(table)}.`,
  head: ({ seq }) => `the noted head is not in the chain: entry ${seq} is another one, or gone.`,
  unlogged: ({ table, key }) => `${table} ${key} has no entry.`,
  missing: ({ table }) => `table ${table} is missing: nothing can be compared without it.`,
};

/** The digest of a subject is of all its rows: it says that one of them was changed, and not which. */
function ownRows(table: string): string {
  const others = SUBJECT_TABLES.find(([first]) => first === table)?.slice(1) ?? [];
  return others.length === 0 ? '' : `: that row, or one that belongs to it in ${others.join(', ')}`;
}

function faultText(fault: AuditFault): string {
  return FAULTS[fault.reason](fault);
}

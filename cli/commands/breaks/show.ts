import { TallyhookError } from '../../../src/domain/error.ts';
import { RECORD_KINDS, type RecordKind } from '../../../src/domain/lifecycle.ts';
import type { UnparsedRow } from '../../../src/domain/statement.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { RecordEvidence } from '../../../src/store/reconciliation.ts';
import type { RecordSummary } from '../../../src/store/records.ts';
import type { FoundBreak, RunSummary } from '../../../src/store/runs.ts';
import type { PlacedLine } from '../../../src/store/statements.ts';
import { withArchive } from '../../context/archive.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { evidenceJson, printWitnesses } from '../../show/evidence.ts';
import { breakName, breakSubject, keptBreakJson } from '../../show/kept-break.ts';
import { print, printFacts, printJson, printTitle } from '../../show/output.ts';
import { recordJson, type Shown } from '../../show/record.ts';
import { unparsedJson } from '../../show/statement.ts';
import { lineJson, printLine } from '../../show/statement-line.ts';
import { time } from '../../show/text.ts';
import { runJson } from './list.ts';

/** A break with the rows of both sides. */
interface WholeBreak {
  readonly found: FoundBreak;
  readonly run: RunSummary | null;
  readonly line: PlacedLine | null;
  readonly unparsed: UnparsedRow | null;
  readonly record: RecordSummary | null;
  readonly evidence: RecordEvidence | null;
}

/** `tallyhook breaks show ID`: shows a break, its line as the statement has it, and what the witnesses say of its record. */
export function addBreaksShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one break: its values, the cells of its line, and the witnesses of its record',
    (command) =>
      command
        .positional('id', {
          type: 'string',
          demandOption: true,
          describe: 'Its id, such as x-0123456789abcdef01234567',
        })
        .options(REVEAL_OPTION)
        .example('$0 breaks show x-0123456789abcdef01234567', 'As the latest run found it'),
    async (argv) => {
      if (!/^x-[0-9a-f]{24}$/.test(argv.id)) {
        throw new UsageError(`${JSON.stringify(argv.id)} is not an id of a break.`, LIST);
      }
      const whole = await withArchive(argv, (archive) => wholeBreak(archive, argv.id));
      if (argv.json) printJson(wholeJson(whole, argv));
      else printBreak(whole, argv);
    },
  );
}

const LIST = 'List them: tallyhook breaks list';

async function wholeBreak(archive: Archive, id: string): Promise<WholeBreak> {
  const found = await archive.breakOf(id);
  if (found === null)
    throw new TallyhookError(`No run that is kept has a break ${id}.`, { kind: 'not_found', hint: LIST });
  const run = await archive.run(found.run);
  const rows = found.line === null ? [] : await archive.unparsedRows(found.line.statement);
  return {
    found,
    run,
    line: found.line === null ? null : await archive.lineAt(found.line),
    unparsed: rows.find(({ row }) => row === found.line?.row) ?? null,
    ...(await recordOf(archive, found, run)),
  };
}

async function recordOf(
  archive: Archive,
  { kind, recordId, reference, environment }: FoundBreak,
  run: RunSummary | null,
) {
  if (recordId === null || reference === null || !isRecordKind(kind)) return { record: null, evidence: null };
  const records = await archive.record(kind, reference, environment);
  const [evidence = null] = await archive.evidence(kind, [recordId], run?.asAtMs ?? Number.MAX_SAFE_INTEGER);
  return { record: records.find(({ id }) => id === recordId) ?? null, evidence };
}

function isRecordKind(kind: string | null): kind is RecordKind {
  return (RECORD_KINDS as readonly (string | null)[]).includes(kind);
}

function wholeJson({ found, run, line, unparsed, record, evidence }: WholeBreak, shown: Shown) {
  return {
    ...keptBreakJson(found),
    run: runJson(run),
    cells: line === null ? null : lineJson(line.line, shown.reveal),
    unparsed: unparsed === null ? null : unparsedJson(unparsed),
    record: record === null ? null : recordJson(record, shown),
    evidence: evidence === null ? null : evidenceJson(evidence),
  };
}

function printBreak({ found, run, line, unparsed, record, evidence }: WholeBreak, shown: Shown): void {
  printTitle(`break ${found.id}  ${breakName(found)} of ${breakSubject(found)?.replaceAll('\n', '\ufffd')}`);
  const money = (value: string | null) => (value === null ? null : [value, found.currency].filter(Boolean).join(' '));
  printFacts([
    ['environment', found.environment],
    ['leg', found.leg],
    ['account', found.account],
    ['field', found.field],
    ['ours', found.ours],
    ['theirs', found.theirs],
    ['variance', money(found.variance)],
    ['effect', money(found.effect)],
    ['since', found.firstSeen],
    ['why', found.reason],
    ['next step', found.nextStep],
    ...(found.candidates.length === 0 ? [] : [['candidates', found.candidates.join('; ')] as const]),
    ['found by', run === null ? null : `run ${run.run}, ${time(run.finishedAtMs)}: ${run.from} to ${run.to}`],
  ]);
  if (found.line !== null) printLine(found.line, { line, unparsed }, shown.reveal);
  if (record === null) return;
  print();
  printWitnesses(record, evidence);
  printFacts([['the whole story', `tallyhook why ${record.reference}`]]);
}

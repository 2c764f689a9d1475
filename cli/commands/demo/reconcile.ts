import type { Config } from '../../../src/config/load.ts';
import { money } from '../../../src/domain/money/amount.ts';
import type { Item } from '../../../src/domain/reconciling/break.ts';
import { configuredOrder } from '../../../src/reconcile/keep/configured-order.ts';
import { reconcileAndKeep } from '../../../src/reconcile/keep/keep-run.ts';
import { figuresJson } from '../../../src/reconcile/report/figures.ts';
import { breakName } from '../../../src/reconcile/report/words.ts';
import type { PlantedFileFault, Sandbox } from '../../../src/sandbox/index.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { causeOf } from './compare.ts';
import { writeDemoPage } from './page.ts';
import { type Days, type ImportedStatement, importStatements } from './statements.ts';

/** What the reconciliation of the demo's days with the statements found. */
export interface Reconciled extends Days {
  readonly files: number;
  readonly lines: number;
  /** Faults that were planted in the files. */
  readonly faults: number;
  /** Those of them that no break names. */
  readonly missed: readonly string[];
  /** Records, batches and top-ups with their line, by leg. */
  readonly matched: Readonly<Record<string, number>>;
  readonly breaks: readonly DemoBreak[];
  /** Of every account and currency. Amounts are decimal text. */
  readonly proof: ReturnType<typeof figuresJson>['proof'];
  /** The file with all of it as a page. */
  readonly page: string;
}

export interface DemoBreak {
  readonly code: string;
  readonly reference: string | null;
  readonly currency: string | null;
  readonly effect: string;
  /** Where its fault was planted. */
  readonly source: 'files' | 'webhooks' | null;
  /** The planted fault; null: nothing explains it, and the program or the sandbox has a defect. */
  readonly because: string | null;
}

/** Imports the statements of the days and reconciles them with the records; the run is kept. */
export async function reconcileTheDays(
  sandbox: Sandbox,
  archive: Archive,
  { config, ...where }: { readonly config: Config; readonly days: Days; readonly folder: string },
): Promise<Reconciled> {
  const { days } = where;
  const operations = await storeOf(config).operations();
  try {
    const files = await importStatements(sandbox, operations.statements, { config, ...where });
    const asked = { ...days, environment: 'test' as const, asAtMs: systemClock.nowMs() };
    const result = await reconcileAndKeep(archive, operations, await configuredOrder(config, asked));
    const { matched, proof } = figuresJson(result);
    const open = [...result.breaks, ...result.suggested];
    const faults = files.flatMap((file) => file.planted.map((fault) => ({ file, fault })));
    return {
      ...days,
      files: files.length,
      lines: files.reduce((sum, { lines }) => sum + lines, 0),
      faults: faults.length,
      missed: faults
        .filter((one) => !open.some((item) => isOf(one, item)))
        .map((one) => `${one.fault.reference} ${noteOf(one)}`),
      matched,
      breaks: open.map((item) => named(item, faults, sandbox)),
      proof,
      page: await writeDemoPage(archive, result.run),
    };
  } finally {
    await operations.close();
  }
}

interface FileFault {
  readonly file: ImportedStatement;
  readonly fault: PlantedFileFault;
}

/** Says which planted fault a break comes from: one of a file names its reference, its batch or its row. */
function named(item: Item, faults: readonly FileFault[], sandbox: Sandbox): DemoBreak {
  const { facts, reference, currency, place } = item;
  const about = {
    code: breakName(facts),
    reference,
    currency,
    effect: money(place?.effect ?? 0n) ?? '',
  };
  const ofFiles = faults.filter((one) => isOf(one, item));
  if (ofFiles.length > 0) return { ...about, source: 'files', because: ofFiles.map(noteOf).join('; ') };
  const because = place === null && reference !== null ? causeOf(sandbox, reference) : null;
  return { ...about, source: because === null ? null : 'webhooks', because };
}

/** A difference between webhooks and service has no place in a statement, and comes from no file. */
function isOf({ file, fault }: FileFault, { reference, place }: Item): boolean {
  if (place === null) return false;
  if (reference !== null && [fault.reference, fault.group].includes(reference)) return true;
  return place.line?.statement === file.statement && fault.rows.includes(place.line.row);
}

const WORDS: Readonly<Record<PlantedFileFault['kind'], string>> = {
  lost: 'left out of',
  doubled: 'twice in',
  split: 'in two parts in',
  altered: 'altered in',
  fee: 'fee altered in',
  late: 'late in',
  dialect: 'unreadable in',
};

function noteOf({ file, fault }: FileFault): string {
  return `${WORDS[fault.kind]} the ${file.kind}`;
}

import type { Environment } from '../../../../domain/environment.ts';
import { perKind, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import type { OpenRecord, ReconciliationArchive } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { guarded } from '../../engine/reading.ts';
import { countedAmount } from '../../rows/counted-amount.ts';
import { effectiveText } from '../../rows/effective-time.ts';
import type { IdRange } from '../scan.ts';
import {
  changedLater,
  hasFinding,
  inPeriod,
  isSettled,
  moneyDiffers,
  OF_ENVIRONMENT,
  type PeriodParameters,
  periodParameters,
  STATUSES_DIFFER,
  startedText,
} from './fragments.ts';
import { nextWindow } from './windows.ts';

/** Integers are bigint: an amount may need all 64 bits. */
interface OpenRow {
  readonly id: bigint;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly effective: string;
  readonly started: string | null;
  readonly first_seen_at: bigint;
  readonly minor: bigint | null;
  readonly currency: string | null;
  readonly needs_more: bigint;
}

/**
 * Reads the records that are not settled alike by both witnesses. What is alike is left out here, because of a million records
 * nearly all are; whether a record that is read is a break is decided in the domain.
 */
export function openRecordReads(database: Database): ReconciliationArchive['openRecords'] {
  const statements = perKind((kind) => ({
    open: database.prepare<PeriodParameters & IdRange, OpenRow>(openSql(kind)).safeIntegers(),
    lastId: database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck(),
  }));
  const texts = new SharedTexts();

  return (kind, period, after) => {
    const { open, lastId } = statements[kind];
    const parameters = periodParameters(period);
    const read = guarded(database, (range: IdRange) =>
      open.all({ ...parameters, ...range }).map((row) => openRecord(row, texts)),
    );
    return nextWindow(after, () => lastId.get() ?? 0, read);
  };
}

function openSql(kind: RecordKind): string {
  const { minor, currency } = countedAmount(kind);
  const needsMore = `r.changed_at > @asAtMs OR coalesce(${STATUSES_DIFFER}, 0) OR coalesce(${moneyDiffers(kind)}, 0)
    OR ${hasFinding(kind)}`;
  return `
    SELECT r.id, r.environment, r.reference, r.reported, r.confirmed, ${effectiveText(kind)} AS effective,
           ${startedText(kind)} AS started, r.first_seen_at, ${minor} AS minor, ${currency} AS currency,
           (${needsMore}) AS needs_more
    FROM ${kind}s r NOT INDEXED
    WHERE r.id BETWEEN @first AND @last AND ${OF_ENVIRONMENT}
      AND (${changedLater(kind)}
           OR (r.changed_at <= @asAtMs AND ${inPeriod(kind)}
               AND (NOT ${isSettled(kind, 'r.confirmed')} OR ${needsMore})
               AND (r.reported IS NOT NULL OR r.confirmed IS NOT NULL
                    OR EXISTS (SELECT 1 FROM observations o WHERE o.kind = '${kind}' AND o.record_id = r.id))))`;
}

function openRecord(row: OpenRow, texts: SharedTexts): OpenRecord {
  const firstSeenAtMs = Number(row.first_seen_at);
  return {
    id: Number(row.id),
    environment: texts.of(row.environment),
    reference: row.reference,
    reported: texts.of(row.reported),
    confirmed: texts.of(row.confirmed),
    effectiveAtMs: Date.parse(`${row.effective}Z`),
    startedAtMs: row.started === null ? firstSeenAtMs : Date.parse(row.started),
    minor: row.minor,
    currency: texts.of(row.currency),
    needsMore: row.needs_more === 1n,
  };
}

/** Most different texts that are shared: there are few statuses and currencies, unless a sender invents them. */
const MOST_SHARED = 1_000;

/** One copy of each status and currency: the engine makes a new text for every row, and a million of them are kept. */
class SharedTexts {
  readonly #known = new Map<string, string>();

  of<Text extends string | null>(text: Text): Text {
    if (text === null) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known as Text;
    if (this.#known.size < MOST_SHARED) this.#known.set(text, text);
    return text;
  }
}

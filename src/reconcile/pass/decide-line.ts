import { TallyhookError } from '../../domain/error.ts';
import type { Leg, OurKind, Rules } from '../../domain/reconciling/rules.ts';
import { isRecordKind } from '../../domain/records/lifecycle.ts';
import { LINES } from '../../domain/statements/lines.ts';
import type { Archive } from '../../store/archive.ts';
import type { MatchDecision, MatchVerdict, Runs } from '../../store/runs.ts';
import type { PlacedLine } from '../../store/statements.ts';
import { kindsOf } from '../load/sides.ts';

/** A line and a row of ours, named by a person. */
export interface LineDecisionOrder {
  readonly statement: number;
  readonly row: number;
  readonly reference: string;
  readonly verdict: MatchVerdict;
  readonly by: string;
  readonly comment: string | null;
  readonly rules: Rules;
  /** A time as the person reads it. */
  readonly shown: (atMs: number) => string;
}

export interface DecidedLine {
  readonly line: PlacedLine;
  readonly decision: MatchDecision;
}

/**
 * Keeps that a line and a row of ours belong together, or never do, whether or not a run brought them together.
 *
 * @throws TallyhookError when there is no such line or record, or the line stands in no leg
 */
export async function decideLine(
  { statement, row, reference, verdict, by, comment, rules, shown }: LineDecisionOrder,
  archive: Pick<Archive, 'lineAt' | 'record' | 'decisions'>,
  runs: Pick<Runs, 'decide'>,
): Promise<DecidedLine> {
  const line = await archive.lineAt({ statement, row });
  if (line === null) throw noLine(statement, row);
  const { leg, kind } = legOf(line, rules);
  const { environment } = line.account;
  if (isRecordKind(kind) && (await archive.record(kind, reference, environment)).length === 0) {
    throw new TallyhookError(`There is no ${kind} ${reference} in ${environment}.`, {
      kind: 'not_found',
      hint: `Look for it: tallyhook ${kind}s list --environment ${environment}`,
    });
  }
  const pair = { leg: leg.name, lineId: line.lineId, kind, environment, reference };
  const last = (await archive.decisions()).find((one) => isPair(one, pair));
  if (last?.verdict === verdict) {
    throw new TallyhookError(`That was said already: by ${last.by}, ${shown(last.atMs)}.`, {
      kind: 'failed',
      hint: NEXT,
    });
  }
  const decision = await runs.decide({ ...pair, verdict, by, comment });
  if (decision === null) throw noLine(statement, row);
  return { line, decision };
}

const NEXT = 'The next run uses it: tallyhook reconcile';

/** The leg in which lines of this statement and type stand, and what they are lines of. */
function legOf(
  { account, line: { type } }: PlacedLine,
  { legs }: Rules,
): { readonly leg: Leg; readonly kind: OurKind } {
  for (const leg of legs) {
    if (type === null || leg.theirs.statement !== account.kind || !leg.theirs.types.includes(type)) continue;
    const kind = LINES[type].of;
    if (kind !== null && kindsOf(leg).includes(kind)) return { leg, kind };
  }
  throw new TallyhookError(
    `A line of the type ${type ?? 'that the profile does not know'} belongs to no row of ours.`,
    {
      kind: 'failed',
      hint: 'What has no other side is ours as it is theirs.',
    },
  );
}

type Pair = Pick<MatchDecision, 'leg' | 'lineId' | 'kind' | 'environment' | 'reference'>;

function isPair(one: Pair, other: Pair): boolean {
  return (['leg', 'lineId', 'kind', 'environment', 'reference'] as const).every((name) => one[name] === other[name]);
}

function noLine(statement: number, row: number): TallyhookError {
  return new TallyhookError(`Statement ${statement} has no line in row ${row}.`, {
    kind: 'not_found',
    hint: `See its lines: tallyhook statements show ${statement}`,
  });
}

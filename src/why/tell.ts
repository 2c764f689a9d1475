import type { Config } from '../config/load.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { Environment } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import { argumentText } from '../domain/records/advised-word.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import { triedPasses } from '../reconcile/pass/tried.ts';
import { loadRules } from '../reconcile/rules/load.ts';
import type { Archive } from '../store/archive.ts';
import type { RecordDetail } from '../store/records.ts';
import type { Story } from '../store/story.ts';
import { type Conclusion, conclude } from './conclusion.ts';
import type { Entry, Wording } from './entry.ts';
import { incidentsOf } from './incidents.ts';
import { passesOfLines, passesOfRows } from './passes.ts';
import { isNothing, reconciledOf, reconciledRest } from './reconciled.ts';
import { reconciledEntries } from './statements.ts';
import type { TriedLeg } from './tried-pass.ts';
import { entriesOf } from './why.ts';

/** Which reference a story is asked of. */
export interface AskedStory {
  readonly reference: string;
  readonly environment?: Environment | undefined;
  readonly kind?: RecordKind | undefined;
}

/** A record, its conclusion, and what happened to it. */
export interface ConcludedStory {
  readonly record: RecordDetail;
  readonly conclusion: Conclusion;
  readonly entries: readonly Entry[];
  /** The passes of the last run that tried it, each with what it found, or what kept it. */
  readonly matching: readonly TriedLeg[];
}

/** Everything about one reference. */
export interface ToldStory extends Pick<Story, 'requests' | 'refunds' | 'events' | 'truncated'> {
  readonly records: readonly ConcludedStory[];
  /** What statements and runs say of the reference, and of none of these records. */
  readonly reconciled: readonly Entry[];
  /** The passes of lines, batches and top-ups. */
  readonly matching: readonly TriedLeg[];
  /** False: so much shares a name with it that the passes were tried on a part of it. */
  readonly isMatchingWhole: boolean;
  /** The rules of the last run, where the passes were tried by others; null: it had the same, or there is none. */
  readonly otherRules: string | null;
}

export interface Telling {
  readonly config: Config;
  readonly nowMs: number;
  readonly wording: Wording;
  /** What the `serve` of this database reports; null: none answered. */
  readonly serve: ServeReport | null;
}

/**
 * Everything that is known of a reference, from every room.
 *
 * @throws TallyhookError `not_found` when nothing is
 */
export async function tell(archive: Archive, asked: AskedStory, telling: Telling): Promise<ToldStory> {
  const { reference, environment, kind } = asked;
  const { config, nowMs, wording, serve } = telling;
  const filter = { ...(environment !== undefined && { environment }), ...(kind !== undefined && { kind }) };
  const story = await archive.story(reference, filter);
  const { legs, isWhole, otherRules } = await passesTried(archive, config, asked);
  const incidents = await incidentsOf(story, archive, { nowMs, zone: config.timeZone, serve });
  const rest = reconciledRest(
    story.records.map(({ record }) => record),
    story.reconciled,
    kind,
  );
  if (isEmpty(story) && isNothing(rest) && legs.length === 0) throw unknown(asked);
  const lacking = (of: Environment) => {
    if (config.baseUrl === null) return 'baseUrl';
    return config.keyPairs.some((pair) => pair.environment === of) ? null : 'key';
  };
  const records = story.records.map((each) => ({
    record: each.record,
    conclusion: conclude(each.record, { nowMs, wording, lacking: lacking(each.record.environment) }),
    entries: entriesOf({ ...each, reconciled: reconciledOf(each.record, story.reconciled), incidents }, wording),
    matching: passesOf(legs, each.record),
  }));
  const shown = new Set(records.flatMap(({ matching }) => matching));
  return {
    ...{ requests: story.requests, refunds: story.refunds, events: story.events, truncated: story.truncated, records },
    ...{
      reconciled: reconciledEntries(rest),
      matching: legs.filter((leg) => !shown.has(leg)),
      isMatchingWhole: isWhole,
      otherRules,
    },
  };
}

function isEmpty({ records, requests, refunds, events }: Story): boolean {
  return records.length + requests.length + refunds.length + events.length === 0;
}

/** The passes of the legs that have sides for the reference, by the rules of the configuration; none without a statement. */
async function passesTried(
  archive: Archive,
  { timeZone: zone, reconcile }: Config,
  { reference, environment, kind }: AskedStory,
): Promise<{ readonly legs: readonly TriedLeg[]; readonly isWhole: boolean; readonly otherRules: string | null }> {
  const [any] = await archive.statements({}, { order: 'newest', limit: 1 });
  if (any === undefined) return { legs: [], isWhole: true, otherRules: null };
  const rules = await loadRules(reconcile.rules ?? undefined);
  const dayRule = { zone, cutOffMinutes: reconcile.cutOffMinutes };
  const tried = await triedPasses(archive, {
    ...{ reference, rules, dayRule, ...(environment !== undefined && { environment }) },
  });
  if (tried === null) return { legs: [], isWhole: true, otherRules: null };
  const run = await archive.lastRun();
  const legs = [...passesOfRows(tried), ...passesOfLines(tried)];
  return {
    legs: legs.filter((leg) => kind === undefined || leg.kind === kind || leg.kind === null),
    isWhole: tried.isWhole,
    otherRules: run === null || run.rules.digest === rules.digest ? null : run.rules.name,
  };
}

/** Those of one record. */
function passesOf(tried: readonly TriedLeg[], { kind, environment }: RecordDetail): TriedLeg[] {
  return tried.filter((leg) => leg.kind === kind && leg.environment === environment);
}

function unknown({ reference, environment, kind }: AskedStory): TallyhookError {
  const where = [kind === undefined ? '' : ` as a ${kind}`, environment === undefined ? '' : ` in ${environment}`];
  return new TallyhookError(`No record, event, request or statement has the reference ${reference}${where.join('')}.`, {
    kind: 'not_found',
    hint: `References are case-sensitive. Ask the service: tallyhook refunds status ${argumentText(reference)}; read its list: tallyhook backfill; or expect it: tallyhook track KIND ${argumentText(reference)}`,
  });
}

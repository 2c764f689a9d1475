import type { ActedException, Change, Refusal } from '../../../domain/exceptions/act.ts';
import { carriedUntil } from '../../../domain/exceptions/carried-until.ts';
import { judgeAct } from '../../../domain/exceptions/judge-act.ts';
import { StoreError } from '../../error.ts';
import {
  type AccountSet,
  type ActOrder,
  type ActResult,
  type ExceptionAct,
  MOST_ACTS,
  MOST_ACTS_AT_ONCE,
} from '../../exceptions.ts';
import { type Database, writing } from '../engine/database.ts';
import { approvalOf, exceptionFromRow } from '../rows/exceptions.ts';
import type { Dated } from './books-time.ts';
import { type AccountDay, closedDays } from './closed-days.ts';
import { exceptionLines, LineRefusal } from './exception-lines.ts';
import { exceptionPayments } from './exception-payments.ts';
import { exceptionRows, type KnownLine, type StoredException } from './exception-rows.ts';
import type { GuardedAudit } from './four-eyes.ts';
import { matchDecisionWrites } from './match-decisions.ts';
import type { sheetImports } from './sheet-imports.ts';

/** Acts of one transaction: some 40 ms. */
const ACTS_PER_TRANSACTION = 150;

interface Done {
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What persons do to exceptions: judged by the domain, written with its entry in the audit. */
export function exceptionActs(
  database: Database,
  audit: GuardedAudit,
  sheets: Pick<ReturnType<typeof sheetImports>, 'renew'>,
) {
  const rows = exceptionRows(database);
  const closed = closedDays(database);
  const lines = exceptionLines(database, matchDecisionWrites(database, audit));
  const payments = exceptionPayments(database, lines);
  const rememberSheet = database.prepare<{ digest: string; file: string; by: string; nowMs: number }>(`
    INSERT INTO exception_sheets (digest, file, imported_by, imported_at) VALUES (@digest, @file, @by, @nowMs)
    ON CONFLICT (digest) DO NOTHING`);

  function carryOut(act: ExceptionAct, order: ActOrder & Dated): ActResult & { done?: Done } {
    const found = rows.one(act.id);
    if (found === null) return unknown(act.id);
    if (act.version !== undefined && act.version !== found.version) return stale(found, act.version);
    const judged = judgeAct(actedOn(found), act, {
      by: act.by,
      mayBe: (name) => audit.fourEyes.mayBe(name, act.by),
      reasons: order.reasons,
    });
    if ('refusal' in judged) return refused(found, judged.refusal);
    const put = isOfLines(judged.change) ? wholly : change;
    return put(found, judged.change, act.by, order);
  }

  function change(found: StoredException, to: Change, by: string, order: ActOrder & Dated): ActResult & { done: Done } {
    const { break_id: id } = found;
    const subject = `exception:${id}`;
    const before = audit.digestOf(subject);
    write(found, to, { by, nowMs: order.nowMs, learntMs: order.learntMs }, order.accountSets ?? []);
    const changed = rows.one(id);
    if (changed === null) throw new StoreError('other', `Exception ${id} is gone.`);
    const done = { subject, before, after: audit.digestOf(subject) };
    if (order.sheet === undefined) {
      audit.append({ who: by, act: entryOf(to.event), ...done, nowMs: order.nowMs });
    }
    return { id, outcome: 'done', exception: exceptionFromRow(changed), done };
  }

  /** Within a savepoint of its own, which costs as much as the rows: what is refused halfway leaves nothing. */
  const wholly = writing(database, change);

  function actedOn(found: StoredException): ActedException {
    const { break_id: id, version, status, assignee, comment, currency, environment, account, date } = found;
    return {
      ...{ id, version, status, assignee, comment, currency },
      value: found.value_minor,
      held: heldIn(found),
      changedBy: found.changed_by,
      changedAtMs: found.changed_at,
      closedIn: closedIn(found, { environment, account, date }),
      twins: rows.twins(found.number),
    };
  }

  /**
   * The closed period that has it as it stands. Carried out of the closed period of its day, it is open for the next one, and is resolved,
   * and opened again, there until that is closed, too.
   */
  function closedIn(found: StoredException, day: AccountDay): ActedException['closedIn'] {
    const own = closed.onDay(day);
    if (own === null) return null;
    const ofDay = { period: own.period, by: 'day' } as const;
    const { status, approval, resolved_at: resolvedAtMs, last_run: run } = found;
    if (status === 'closed') return ofDay;
    if (status === 'resolved' && approval !== 'needed' && resolvedAtMs !== null) {
      const since = closed.sinceResolved(day, resolvedAtMs)?.period;
      if (since === undefined) return null;
      return since === own.period ? ofDay : { period: since, by: 'resolution' };
    }
    return rows.runDays(Number(run)).to > own.to ? null : ofDay;
  }

  function heldIn({ status, resolution, reason_code, resolution_reference, follow_up, ...row }: StoredException) {
    const { resolved_by: by, resolved_at: atMs, lines: named } = row;
    if (status !== 'resolved' || resolution === null || by === null || atMs === null) return null;
    const approval = approvalOf(row);
    const isPaid = resolution === 'claim' && named !== null && named !== '[]';
    return {
      resolution,
      reasonCode: reason_code,
      reference: resolution_reference,
      followUp: follow_up,
      by,
      atMs,
      approval: approval?.state === 'needed' ? approval.state : approval,
      isPaid,
    };
  }

  function write(
    found: StoredException,
    change: Change,
    said: { by: string } & Dated,
    sets: readonly AccountSet[],
  ): void {
    const { number, version } = found;
    const { after, assignee, event } = change;
    const text = change.comment === null || change.comment === 'clear' ? null : change.comment.text;
    const added = text === null ? null : rows.comment({ number, text, ...said });
    const commentId = change.comment === 'clear' ? null : (added ?? found.comment_id);
    const { holds, named } = resolutionAfter(found, change, text, said, sets);
    rows.stand({ number, status: after, assignee, resolutionId: holds, commentId, ...said });
    const { learntMs: nowMs, by: who } = said;
    const base = { number, version: version + 1, nowMs, who, act: event, before: found.status, after, run: null };
    rows.log({ ...base, assignee, commentId: added, resolutionId: named });
  }

  /** The resolution that holds afterwards, and the one that this act names in the log. */
  function resolutionAfter(
    found: StoredException,
    { resolution: to }: Change,
    comment: string | null,
    said: { by: string } & Dated,
    sets: readonly AccountSet[],
  ): { holds: number | null; named: number | null } {
    const { number, resolution_id: id } = found;
    if (to.do === 'keep') return { holds: id, named: null };
    if (to.do === 'drop') return { holds: null, named: id };
    if (to.do === 'hold') {
      const isClaim = to.resolution === 'claim' && to.lines.length > 0;
      const named = isClaim ? payments.of(found, to.lines, sets) : lines.named(found, to.lines);
      const until = to.resolution === 'carry' ? carriedUntil(found.date, rows.runDays(found.last_run)) : null;
      const held = rows.resolve({ ...to, number, lines: named, carriedUntil: until, ...said });
      return { holds: held, named: held };
    }
    if (to.do === 'match') {
      const verdict = to.resolution === 'match' ? 'together' : 'apart';
      const decided: KnownLine[] = lines.decide(found, to.lines, { verdict, comment, ...said });
      return { holds: id, named: rows.resolve({ ...to, number, lines: decided, carriedUntil: null, ...said }) };
    }
    if (id === null) throw new StoreError('other', `Exception ${found.break_id} has no resolution.`);
    if (to.do === 'approve') {
      rows.approve({ id, ...said });
      return { holds: id, named: id };
    }
    const amended =
      to.do === 'pay'
        ? rows.amend(id, found.follow_up, payments.of(found, to.lines, sets))
        : rows.amend(id, to.followUp, null);
    return { holds: amended, named: amended };
  }

  function attempt(act: ExceptionAct, order: ActOrder & Dated): ActResult & { done?: Done } {
    try {
      return carryOut(act, order);
    } catch (error) {
      const found = error instanceof LineRefusal || isPeriodClosed(error) ? rows.one(act.id) : null;
      if (found === null) throw error;
      const { message } = error as Error;
      const reason = error instanceof LineRefusal ? 'missing' : 'period_closed';
      return refused(found, { reason, message, hint: error instanceof StoreError ? (error.hint ?? null) : null });
    }
  }

  /**
   * Some acts in one transaction. A spreadsheet has one entry for them, with the list of what it touched; with the last ones that is
   * also the row by which it is known.
   */
  const some = writing(
    database,
    (
      acts: readonly ExceptionAct[],
      order: ActOrder & Dated,
      isRemembered: (isDone: boolean) => boolean,
    ): ActResult[] => {
      if (order.sheet?.lease !== undefined) sheets.renew(order.sheet.lease, order.nowMs);
      const results = acts.map((act) => attempt(act, order));
      const touched = results.flatMap(({ done }) => done ?? []);
      const { sheet } = order;
      const known = sheet !== undefined && isRemembered(touched.length > 0) ? remembered(sheet, order.nowMs) : [];
      enter(order, acts[0]?.by ?? sheet?.remember, [...touched, ...known]);
      return results.map(({ done: _, ...result }) => result);
    },
  );

  function enter({ sheet, nowMs }: ActOrder & Dated, who: string | undefined, touched: readonly Done[]): void {
    if (sheet === undefined || who === undefined || touched.length === 0) return;
    audit.append({ who, act: 'sheet.import', subject: `sheet:${sheet.digest}`, touched, nowMs });
  }

  /** The row of a spreadsheet, as something touched; nothing where it is known already. */
  function remembered({ digest, file, remember: by }: NonNullable<ActOrder['sheet']>, nowMs: number): Done[] {
    if (by === undefined || rememberSheet.run({ digest, file, by, nowMs }).changes === 0) return [];
    const subject = `sheet:${digest}`;
    return [{ subject, before: null, after: audit.digestOf(subject) }];
  }

  function everyAct(order: ActOrder & Dated, most: number): ActResult[] {
    const { acts } = order;
    const results: ActResult[] = [];
    let start = 0;
    do {
      const end = start + most;
      const isDone = results.some(({ outcome }) => outcome === 'done');
      const isLast = end >= acts.length;
      results.push(...some(acts.slice(start, end), order, (isNow) => isLast && (isNow || isDone || acts.length === 0)));
      start = end;
    } while (start < acts.length);
    return results;
  }

  /** All of it in one transaction, which is given up by a dry run and by a refusal. */
  function atOnce(order: ActOrder & Dated): ActResult[] {
    let results: ActResult[] = [];
    const isKept = () => order.dryRun !== true && results.every(({ outcome }) => outcome === 'done');
    try {
      writing(database, () => {
        results = everyAct(order, MOST_ACTS_AT_ONCE);
        if (!isKept()) throw NOT_KEPT;
      })();
    } catch (error) {
      if (error !== NOT_KEPT) throw error;
    }
    return results;
  }

  return (order: ActOrder & Dated): ActResult[] => {
    const isAtOnce = order.dryRun === true || order.allOrNothing === true;
    const most = isAtOnce ? MOST_ACTS_AT_ONCE : MOST_ACTS;
    if (order.acts.length > most) throw new StoreError('other', `${order.acts.length} acts are more than ${most}.`);
    return isAtOnce ? atOnce(order) : everyAct(order, ACTS_PER_TRANSACTION);
  };
}

const NOT_KEPT = new Error('not kept');

/** Whether it may be refused halfway: for the lines that it names. */
function isOfLines({ resolution }: Change): boolean {
  return resolution.do === 'match' || ('lines' in resolution && resolution.lines.length > 0);
}

function entryOf(event: Change['event']) {
  if (event === 'import') return 'sheet.import';
  return event === 'match' || event === 'undo_match' || event === 'pay'
    ? 'exception.resolve'
    : (`exception.${event}` as const);
}

function isPeriodClosed(error: unknown): boolean {
  return error instanceof StoreError && error.fault === 'period_closed';
}

function unknown(id: string): ActResult {
  const hint = 'List them: tallyhook exceptions list';
  return {
    id,
    outcome: 'refused',
    reason: 'unknown_id',
    who: null,
    atMs: null,
    message: `There is no exception ${id}.`,
    hint,
  };
}

function stale(found: StoredException, version: number): ActResult {
  const { break_id: id, changed_by: who, changed_at: atMs } = found;
  const message = `${id} was changed by ${who} at ${new Date(atMs).toISOString()}: it has version ${found.version}, and this is about version ${version}.`;
  return { id, outcome: 'refused', reason: 'stale', who, atMs, message, hint: `See: tallyhook exceptions show ${id}` };
}

function refused(found: StoredException, refusal: Refusal): ActResult {
  return { id: found.break_id, outcome: 'refused', who: found.changed_by, atMs: found.changed_at, ...refusal };
}

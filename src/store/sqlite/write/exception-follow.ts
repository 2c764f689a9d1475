import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { FollowScope } from '../../../domain/exceptions/follow-scope.ts';
import { type Moved, movedByCarrying, movedByFinding, movedByMissing } from '../../../domain/exceptions/sighting.ts';
import { isCarriedInto, isTouched, type Sighted } from '../../../domain/exceptions/touched.ts';
import { isBreakCode } from '../../../domain/reconciling/break.ts';
import type { Timed } from '../../../time/clock.ts';
import type { KeptBreak } from '../../runs.ts';
import { type Database, writing } from '../engine/database.ts';
import { BREAK_COLUMNS, type BreakRow, breakFromRow } from '../rows/breaks.ts';
import { seenColumns } from '../rows/exceptions.ts';
import type { AuditWrites } from './audit.ts';
import { exceptionRows, type StoredException } from './exception-rows.ts';
import { openCarries } from './period-carries.ts';

/** The work of one piece: to look at a row costs 1, to change it 6. It holds the database for some 20 ms. */
const PIECE = 960;
const LOOK = 1;
const CHANGE = 6;

interface FollowRow {
  readonly run: number;
  readonly scope: string;
  readonly phase: 'found' | 'gone';
  readonly place: number;
}

interface FoundRow extends BreakRow {
  readonly place: number;
  readonly run_id: number;
  readonly carried: 0 | 1;
}

interface LeftRow extends Sighted {
  readonly number: number;
  readonly id: string;
  readonly run: number;
}

interface Touched {
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A piece of following one run. */
interface Piece extends Timed {
  readonly run: number;
  readonly scope: FollowScope;
  readonly gone: ReadonlySet<string>;
  readonly touched: Touched[];
  place: number;
  left: number;
}

/** Brings the queue in line with whole runs, one after the other and piece by piece; each piece has its entry in the audit. */
export function exceptionFollowing(database: Database, audit: AuditWrites) {
  const rows = exceptionRows(database);
  const isStillCarried = openCarries(database);
  const next = database.prepare<[], FollowRow>(
    "SELECT run_id AS run, scope, phase, place FROM run_follows WHERE phase <> 'done' ORDER BY run_id LIMIT 1",
  );
  const found = database.prepare<{ run: number; place: number; most: number }, FoundRow>(`
    SELECT id AS place, run_id, carried, ${BREAK_COLUMNS.join(', ')} FROM kept_breaks
    WHERE id > max(@place, (SELECT first_break FROM reconciliation_runs WHERE id = @run) - 1) ORDER BY id LIMIT @most`);
  const left = database.prepare<{ place: number; most: number }, LeftRow>(`
    SELECT e.number, e.id, e.environment, e.account, e.currency, e.leg, e.kind, e.date, e.first_seen AS firstSeen,
      s.run_id AS run, s.carried, r.from_day AS seenFrom, r.to_day AS seenTo,
      iif(e.status = 'resolved', x.carried_until, NULL) AS carriedUntil
    FROM exceptions e INDEXED BY exceptions_left JOIN exception_sightings s ON s.exception_number = e.number
      JOIN reconciliation_runs r ON r.id = s.run_id LEFT JOIN exception_resolutions x ON x.id = e.resolution_id
    WHERE e.status <> 'closed' AND e.number > @place ORDER BY e.number LIMIT @most`);
  const advance = database.prepare<{ run: number; phase: string; place: number; changed: number }>(
    'UPDATE run_follows SET phase = @phase, place = @place, changed = changed + @changed WHERE run_id = @run',
  );
  const finish = database.prepare<[number, number]>('UPDATE run_follows SET followed_at = ? WHERE run_id = ?');

  /** Reads what the run found. Returns whether that is all of it. */
  function readFound(piece: Piece): boolean {
    while (piece.left > 0) {
      const most = mostChanged(piece);
      const some = found.all({ run: piece.run, place: piece.place, most });
      for (const row of some) {
        if (row.run_id !== piece.run) return true;
        piece.left -= LOOK;
        piece.place = row.place;
        const { place: _, run_id: __, carried, ...seen } = row;
        if (isBreakCode(seen.code)) takeFound(piece, breakFromRow(seen), carried);
      }
      if (some.length < most) return true;
    }
    return false;
  }

  function takeFound(piece: Piece, seen: KeptBreak, carried: 0 | 1): void {
    const { run, nowMs, scope } = piece;
    const known = rows.one(seen.id);
    if (known === null) {
      piece.left -= CHANGE;
      const number = rows.insert(seen, { run, by: TALLYHOOK, nowMs });
      rows.sight({ number, run, carried });
      const base = {
        number,
        version: 1,
        nowMs,
        who: TALLYHOOK,
        act: 'found',
        before: null,
        after: 'open',
        run,
      } as const;
      rows.log({ ...base, assignee: null, commentId: null, resolutionId: null });
      note(piece, seen.id, null);
      return;
    }
    rows.sight({ number: known.number, run, carried });
    const columns = seenColumns(seen);
    const { evidence } = columns;
    const kept = {
      status: known.status,
      evidence: known.evidence,
      resolution: known.resolution,
      carriedUntil: isStillCarried(known, scope.from) ? null : known.carried_until,
      isPaid: isPaidClaim(known) || (known.resolution === 'claim' && isPaidClaim(followedBy(known))),
    };
    const moved = movedByFinding(kept, evidence, scope.from);
    if (moved === null && isAsSeen(known, columns)) return;
    piece.left -= CHANGE;
    const before = audit.digestOf(`exception:${seen.id}`);
    rows.see(known.number, seen);
    if (moved !== null) move(piece, known, moved);
    note(piece, seen.id, before);
    if (moved?.event === 'gone') endFollowers(piece, known);
  }

  /** Looks for what the run compared and did not find. Returns whether that is all of it. */
  function readGone(piece: Piece): boolean {
    while (piece.left > 0) {
      const most = mostChanged(piece);
      const some = left.all({ place: piece.place, most });
      for (const row of some) {
        piece.left -= LOOK;
        piece.place = row.number;
        takeGone(piece, row);
      }
      if (some.length < most) return true;
    }
    return false;
  }

  function takeGone(piece: Piece, row: LeftRow): void {
    const { run, scope, gone } = piece;
    if (row.run === run) return;
    const isCarried = !gone.has(row.id) && isCarriedInto(row, scope);
    if (!isCarried && !gone.has(row.id) && !isTouched(row, scope)) return;
    const known = rows.one(row.id);
    if (known === null || (isCarried && isStillCarried(known, scope.from))) return;
    const moved = isCarried ? movedByCarrying(known.status) : movedByMissing(known.status);
    if (moved === null) return;
    piece.left -= CHANGE;
    const before = audit.digestOf(`exception:${row.id}`);
    if (isCarried) rows.sight({ number: row.number, run, carried: 1 });
    move(piece, known, moved);
    note(piece, row.id, before);
    if (moved.event === 'gone') endFollowers(piece, known);
  }

  function move({ run, nowMs }: Piece, known: StoredException, { event, after, keepsResolution }: Moved): void {
    const { number, version, status, assignee } = known;
    const { resolution_id: resolutionId, comment_id: commentId } = known;
    const holds = keepsResolution ? resolutionId : null;
    rows.stand({ number, status: after, assignee, resolutionId: holds, commentId, by: TALLYHOOK, nowMs });
    const base = { number, version: version + 1, nowMs, who: TALLYHOOK, act: event, before: status, after, run };
    rows.log({ ...base, assignee, commentId: null, resolutionId });
  }

  /** The claim of the same amount, by whose payment this one ends. */
  function followedBy({ same_as: id }: StoredException): StoredException | null {
    return id === null ? null : rows.one(id);
  }

  function isPaidClaim(one: StoredException | null): boolean {
    return one !== null && one.resolution === 'claim' && rows.isPaid(one.resolution_id);
  }

  /** Closes the claims that follow one that was paid: a run of these days alone looks at no earlier ones of their accounts. */
  function endFollowers(piece: Piece, known: StoredException): void {
    if (!isPaidClaim(known)) return;
    for (const id of rows.followers(known.number)) {
      const follower = rows.one(id);
      const moved = follower === null ? null : movedByMissing(follower.status);
      if (follower === null || moved === null) continue;
      piece.left -= CHANGE;
      const before = audit.digestOf(`exception:${id}`);
      move(piece, follower, moved);
      note(piece, id, before);
    }
  }

  function note({ touched }: Piece, id: string, before: string | null): void {
    const subject = `exception:${id}`;
    touched.push({ subject, before, after: audit.digestOf(subject) });
  }

  return writing(database, ({ nowMs }: Timed): { done: boolean } => {
    const row = next.get();
    if (row === undefined) return { done: true };
    const { run, place } = row;
    const scope: FollowScope = JSON.parse(row.scope);
    const piece: Piece = { run, scope, gone: new Set(scope.gone), nowMs, touched: [], place, left: PIECE };
    let phase: FollowRow['phase'] | 'done' = row.phase;
    if (phase === 'found' && readFound(piece)) {
      phase = 'gone';
      piece.place = 0;
    }
    if (phase === 'gone' && piece.left > 0 && readGone(piece)) phase = 'done';
    const { touched } = piece;
    advance.run({ run, phase, place: piece.place, changed: touched.length });
    if (phase === 'done') finish.run(nowMs, run);
    if (touched.length > 0) {
      audit.append({ who: TALLYHOOK, act: 'run.follow', subject: `run:${run}`, touched: eachOnce(touched), nowMs });
    }
    return { done: phase === 'done' && next.get() === undefined };
  });
}

/** Rows read at a time: all of them may be changed within what is left of the piece. */
function mostChanged({ left }: Piece): number {
  return Math.ceil(left / (LOOK + CHANGE));
}

/** From before the first change of each to after the last: a run may list one break twice. */
function eachOnce(touched: readonly Touched[]): Touched[] {
  const bySubject = new Map<string, Touched>();
  for (const one of touched)
    bySubject.set(one.subject, { ...one, before: bySubject.get(one.subject)?.before ?? one.before });
  return [...bySubject.values()];
}

/** Whether nothing of the row would change. */
function isAsSeen(known: StoredException, columns: ReturnType<typeof seenColumns>): boolean {
  const before: Readonly<Record<string, unknown>> = { ...known, id: known.break_id };
  return Object.entries(columns).every(([name, value]) => isSame(before[name], value));
}

function isSame(one: unknown, other: unknown): boolean {
  return Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other;
}

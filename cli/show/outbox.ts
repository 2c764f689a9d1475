import { obstacleOf, obstacleStep, obstacleText } from '../../src/domain/forwarding/forward-obstacle.ts';
import { maskedBody } from '../../src/domain/text/privacy.ts';
import { attemptColumns, outboxFacts } from '../../src/lists/outbox.ts';
import type { KnownTarget, OutboxDetail, OutboxRow, UnprovenRecords } from '../../src/store/outbox.ts';
import { terminalColumns, terminalFacts } from './list-columns.ts';
import { note, print, printBodyText, printFacts, printTable, printTitle } from './output.ts';
import type { Shown } from './record.ts';
import { isoTime, time } from './text.ts';

export function outboxRowJson(row: OutboxRow) {
  return {
    id: row.webhookId,
    target: row.target,
    environment: row.environment,
    kind: row.kind,
    reference: row.reference,
    type: row.type,
    n: row.n,
    state: row.state,
    replayed: row.replayed,
    attempts: row.attempts,
    createdAt: isoTime(row.createdAtMs),
    dueAt: isoTime(dueAtMs(row)),
    leasedUntil: isoTime(row.leasedUntilMs),
    lastAttemptAt: isoTime(row.lastAttemptAtMs),
    outcome: row.outcome,
    supersededBy: row.supersededBy,
    deliveredAt: isoTime(row.deliveredAtMs),
  };
}

export function outboxDetailJson(row: OutboxDetail, shown: Shown) {
  return {
    ...outboxRowJson(row),
    attemptsLog: row.attemptsLog.map(({ attempt, startedAtMs, endedAtMs, outcome, status, detail }) => {
      return { attempt, startedAt: isoTime(startedAtMs), endedAt: isoTime(endedAtMs), outcome, status, detail };
    }),
    body: bodyText(row, shown),
    digest: row.digest,
  };
}

export function printOutboxRow(row: OutboxDetail, shown: Shown): void {
  printTitle(`${row.type} of ${row.reference} for ${row.target}`);
  printFacts(terminalFacts(outboxFacts(time), row));
  print('\nAttempts');
  printTable(row.attemptsLog, terminalColumns(attemptColumns()), 'None so far.');
  const body = bodyText(row, shown);
  if (body !== null) {
    print('\nBody');
    printBodyText(body);
  }
}

/** What keeps news from leaving, for stderr. */
export function noteObstacles(
  targets: readonly KnownTarget[],
  unproven: readonly UnprovenRecords[],
  nowMs: number,
): void {
  for (const target of targets) {
    const obstacle = target.present ? obstacleOf(target, nowMs) : null;
    if (obstacle === null) continue;
    note(`Target ${target.name} is ${obstacleText(obstacle, time)}. ${obstacleStep(target.name, obstacle)}`);
  }
  for (const { environment, kind, records } of unproven) {
    const what = `${records} ${environment} ${kind}${records === 1 ? '' : 's'}`;
    note(`${what} wait, without a row: their status endpoint is unproven or absent. See: tallyhook doctor`);
  }
}

/** A hold moves the next attempt to its end. While a target is disabled or gone no attempt comes, so that there is no time. */
function dueAtMs({ state, dueAtMs: own, obstacle }: OutboxRow): number | null {
  if (state === 'orphaned' || obstacle?.is === 'disabled') return null;
  return obstacle === null ? own : Math.max(own, obstacle.untilMs);
}

/** The last member of news with `includeBody`: the bytes of the event, in base64, which cannot be masked. */
const EVENT_BYTES = /(?<name>,"body":)"[^"]*"(?=\}$)/;

function bodyText({ body }: OutboxDetail, { reveal }: Shown): string | null {
  if (body === null) return null;
  const text = Buffer.from(body).toString();
  return reveal ? text : maskedBody(text).replace(EVENT_BYTES, '$<name>"--reveal shows it"');
}

import { isOverdue } from '../../src/domain/exceptions/overdue.ts';
import { wholeNextStep } from '../../src/domain/exceptions/same-difference.ts';
import { daysBetween } from '../../src/domain/reconciling/business-day.ts';
import type { QueueDay } from '../../src/reconcile/exceptions/queue.ts';
import type { Exception, ExceptionLogEntry } from '../../src/store/exceptions.ts';
import { breakFacts } from './kept-break.ts';
import { isoTime } from './text.ts';

// Exceptions as JSON.

export function exceptionJson(one: Exception, { today, bounds }: QueueDay) {
  return {
    id: one.id,
    version: one.version,
    status: one.status,
    resolution: one.resolution,
    reasonCode: one.reasonCode,
    resolutionReference: one.resolutionReference,
    assignee: one.assignee,
    comment: one.comment,
    followUp: one.followUp,
    attachments: one.attachments,
    approval: approvalJson(one.approval),
    payment: one.payment,
    overdue: isOverdue(one, bounds),
    ...breakFacts(one),
    date: one.date,
    firstSeen: one.firstSeen,
    ageDays: daysBetween(one.firstSeen, today),
    reason: one.reason,
    nextStep: wholeNextStep(one),
    sameAs: one.sameAs,
    firstRun: one.firstRun,
    lastRun: one.lastRun,
    resolvedBy: one.resolvedBy,
    resolvedAt: isoTime(one.resolvedAtMs),
    changedBy: one.changedBy,
    changedAt: isoTime(one.changedAtMs),
  };
}

function approvalJson(approval: Exception['approval']) {
  if (approval === null || approval.state === 'needed') return approval === null ? null : 'needed';
  return { who: approval.who, at: isoTime(approval.atMs) };
}

export function logJson({ atMs, run, isErased: _, ...entry }: ExceptionLogEntry) {
  return { at: isoTime(atMs), ...entry, run };
}

import { askedText, stateOf } from '../../src/access/request-words.ts';
import type { KnownRequest } from '../../src/store/approvals.ts';
import { isoTime } from './text.ts';

/** A request as JSON (docs/cli.md). */
export function requestJson(request: KnownRequest, nowMs: number) {
  const { id, asked, digest, rows, rowsUsed, reason, askedBy, askedAtMs, expiresAtMs } = request;
  return {
    ...{
      id,
      act: asked.act,
      what: askedText(asked),
      rows,
      rowsUsed,
      digest,
      reason,
      state: stateOf(request, nowMs),
      askedBy,
    },
    ...{ askedAt: isoTime(askedAtMs), expiresAt: isoTime(expiresAtMs) },
    ...{ decidedBy: request.decidedBy, decidedAt: isoTime(request.decidedAtMs), answer: request.answer },
  };
}

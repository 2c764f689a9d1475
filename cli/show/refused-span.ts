import { refusedAnswerOf } from '../../src/lists/refused.ts';
import { refusalWords } from '../../src/receive/refusal-words.ts';
import type { KeptSpan } from '../../src/store/refused.ts';
import { isoTime } from './text.ts';

/** When requests were refused, of `refused … --json`; docs/cli.md describes every field. */
export function refusedSpanJson(span: KeptSpan) {
  const { id, likeness, environments, count, reason, path, lastPath } = span;
  const [why, next] = refusalWords(reason, lastPath);
  return {
    ...{ id, from: isoTime(span.firstAtMs), to: isoTime(span.lastAtMs), count, status: refusedAnswerOf(span) },
    ...{ reason, why, next: forEnvironments(next, environments), path, lastPath, likeness, environments },
  };
}

function forEnvironments(next: string, [environment = 'live']: KeptSpan['environments']): string {
  return next.replaceAll('ENVIRONMENT', environment);
}

import type { Problem } from '../../src/confirm/problem.ts';
import { problemText } from '../../src/lists/problem-text.ts';
import { isoTime } from './text.ts';

export function problemJson(problem: Problem, context: { zone: string }) {
  const { text, next } = problemText(problem, context);
  const environment = 'environment' in problem ? problem.environment : null;
  const since = sinceOf(problem);
  return { code: problem.code, environment, since, text, next };
}

function sinceOf(problem: Problem): string | null {
  if ('outage' in problem) return isoTime(problem.outage.fromMs);
  if (problem.code === 'service_down') return isoTime(problem.sinceMs);
  return 'run' in problem ? isoTime(problem.run.firstAtMs) : null;
}

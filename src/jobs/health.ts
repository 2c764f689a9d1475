import { type Look, look } from '../confirm/look.ts';
import { findOverdue } from '../confirm/overdue.ts';
import { type Problem, RECEIVING_PROBLEMS } from '../confirm/problem.ts';
import type { AckCounts } from '../domain/health/ack-times.ts';
import { storeOf } from '../store/configured-store.ts';
import type { HealthFacts } from '../store/health.ts';
import type { Job, JobParts } from './job.ts';

/**
 * Checks whether all webhooks arrive, in time, and are accepted: `tallyhook health` of the last week, of which it keeps a sample. Also
 * reviews tracked records past their date, which no other job does where no sweep runs.
 */
export const healthBySchedule: Job = async (parts) => {
  const { config, operations, clock, serve = () => null } = parts;
  const overdue = await findOverdue(operations.tracking);
  const archive = await storeOf(config, { clock }).archive();
  // How the machines stand is the affair of the alerts.
  const order = { nowMs: clock.nowMs(), config, serve: serve(), cluster: null };
  const seen = await look(archive, order).finally(() => archive.close());
  await keepSample(seen, parts);
  const problems = seen.problems.filter(({ code }) => RECEIVING_PROBLEMS.includes(code));
  const ill = partsOf(problems);
  const { length: channels } = seen.channels;
  const found = ill.length > 0 ? [...ill] : [`${channels} channel${channels === 1 ? '' : 's'}, no problem`];
  if (overdue > 0) found.push(`${overdue} tracked, past their date and never seen`);
  return {
    outcome: problems.length + overdue === 0 ? 'done' : 'found',
    detail: found.join('; '),
    left: ill.length,
  };
};

async function keepSample(seen: Look, { operations, acks }: Pick<JobParts, 'operations' | 'acks'>): Promise<void> {
  const taken = acks?.take() ?? null;
  try {
    await operations.health.sample(sampleOf(seen, taken));
  } catch (error) {
    if (taken !== null) acks?.putBack(taken);
    throw error;
  }
}

function sampleOf({ system, channels }: Look, acks: AckCounts | null): HealthFacts {
  const { databaseBytes, logBytes, disk } = system.storage;
  const sum = (of: (channel: (typeof channels)[number]) => number) => channels.reduce((all, one) => all + of(one), 0);
  return {
    ...{ acks, refused: system.refused.count, databaseBytes, logBytes, freeBytes: disk?.freeBytes ?? null },
    ...{ settled: sum(({ settled }) => settled), swept: sum(({ bySweep }) => bySweep) },
  };
}

/** One part per channel, environment or process that has a problem: `live refunds: silent, sweep_share`. */
function partsOf(problems: readonly Problem[]): string[] {
  const codes = new Map<string, string[]>();
  for (const problem of problems) {
    const name = nameOf(problem);
    codes.set(name, [...(codes.get(name) ?? []), problem.code]);
  }
  return [...codes].map(([name, all]) => `${name}: ${all.join(', ')}`);
}

function nameOf(problem: Problem): string {
  if ('channel' in problem) return `${problem.environment} ${problem.channel.kind}s`;
  return ('environment' in problem ? problem.environment : null) ?? 'serve';
}

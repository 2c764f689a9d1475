import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { IN_PROCESS_TARGET } from '../../../src/domain/forwarding/forward-target.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { type Examined, skipped, warning } from '../../../src/store/examination.ts';
import type { KnownTarget, OutboxDetail, OutboxFilter, UnprovenRecords } from '../../../src/store/outbox.ts';
import type { Store } from '../../../src/store/store.ts';
import { checkTarget, type ExaminedTarget } from './target-check.ts';

/** What `doctor` finds about forwarding, for people and for JSON. */
export interface ExaminedForwarding {
  readonly checks: readonly Examined[];
  readonly unproven: readonly UnprovenRecords[];
}

/** Checks each target: whether its news can come, and whether it leaves. */
export async function checkForwarding(config: Config, store: Store, nowMs: number): Promise<ExaminedForwarding> {
  try {
    const archive = await store.archive();
    try {
      const unproven = await archive.unprovenRecords();
      const targets = await targetsOf(config, archive);
      return { checks: [...targets.map((one) => checkTarget(one, nowMs)), ...unproven.map(checkUnproven)], unproven };
    } finally {
      await archive.close();
    }
  } catch (error) {
    if (!(error instanceof TallyhookError)) throw error;
    const checks = [skipped('forwarding', 'it is in the database, which cannot be read')];
    return { checks: config.forward.targets.length === 0 ? [] : checks, unproven: [] };
  }
}

/** Those of the configuration, and of the others in the database those that still have rows or get them. */
async function targetsOf(config: Config, archive: Archive): Promise<ExaminedTarget[]> {
  const known = await archive.targets();
  const configured = config.forward.targets.map(({ name, when, kinds }) => {
    return {
      name,
      isConfigured: true,
      never: when === 'confirmed' ? kinds.filter((kind) => isAbsent(config, kind)) : [],
    };
  });
  const others = known
    .filter(({ name }) => configured.every((one) => one.name !== name))
    .filter(({ present, states }) => present || (states.orphaned ?? 0) + (states.dead ?? 0) > 0)
    .map(({ name }) => ({ name, isConfigured: name === IN_PROCESS_TARGET, never: [] }));
  return Promise.all(
    [...configured, ...others].map(async (target) => {
      const one = known.find(({ name }) => name === target.name) ?? null;
      return { ...target, known: one, oldestFailing: await failing(one, archive) };
    }),
  );
}

async function failing(target: KnownTarget | null, archive: Archive): Promise<OutboxDetail | null> {
  if (!target?.states.failing) return null;
  const filter: OutboxFilter = { target: target.name, states: ['failing'] };
  const [row] = await archive.outbox(filter, { limit: 1, order: 'oldest' });
  return row === undefined ? null : archive.outboxRow(row.webhookId);
}

function isAbsent({ service: { payoutPath, collectionPath } }: Config, kind: RecordKind): boolean {
  return { refund: false, payout: payoutPath === null, collection: collectionPath === null }[kind];
}

function checkUnproven({ environment, kind, records }: UnprovenRecords): Examined {
  const detail = `${records} ${records === 1 ? 'record waits' : 'records wait'} for an endpoint that is unproven or absent`;
  return warning(
    `forwarding ${environment} ${kind}s`,
    detail,
    'See the endpoint above, or forward with when: received.',
  );
}

import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type Examined, ok, skipped, warning } from '../../../src/store/examination.ts';
import type { KnownTarget, UnprovenRecords } from '../../../src/store/outbox.ts';
import type { Store } from '../../../src/store/store.ts';
import { time } from '../../show/text.ts';

/** What `doctor` finds about forwarding, for people and for JSON. */
export interface ExaminedForwarding {
  readonly checks: readonly Examined[];
  readonly unproven: readonly UnprovenRecords[];
}

/** Checks the targets of the configuration: whether their news can come, and whether it leaves. */
export async function checkForwarding(config: Config, store: Store): Promise<ExaminedForwarding> {
  if (config.forward.targets.length === 0) return { checks: [], unproven: [] };
  try {
    const archive = await store.archive();
    try {
      const unproven = await archive.unprovenRecords();
      const known = new Map((await archive.targets()).map((target) => [target.name, target]));
      const checks = config.forward.targets.map((target) => checkTarget(target, known.get(target.name), config));
      return { checks: [...checks, ...unproven.map(checkUnproven)], unproven };
    } finally {
      await archive.close();
    }
  } catch (error) {
    if (!(error instanceof TallyhookError)) throw error;
    return { checks: [skipped('forwarding', 'it is in the database, which cannot be read')], unproven: [] };
  }
}

function checkTarget(target: Config['forward']['targets'][number], known: KnownTarget | undefined, config: Config) {
  const name = `target ${target.name}`;
  if (known?.disabledAtMs != null)
    return warning(
      name,
      `disabled since ${time(known.disabledAtMs)}: it answered 410`,
      `Run: tallyhook forward enable ${target.name}`,
    );
  const { payoutPath, collectionPath } = config.service;
  const absent = { refund: false, payout: payoutPath === null, collection: collectionPath === null };
  const never = target.when === 'confirmed' ? target.kinds.filter((kind) => absent[kind]) : [];
  if (never.length > 0) {
    const hint = `Set service.${never[0]}Path, leave the kind out, or forward on the webhook alone: when: received.`;
    return warning(name, `gets no news of ${never.join('s and ')}s: there is no endpoint that confirms them`, hint);
  }
  const dead = known?.states.dead ?? 0;
  if (dead > 0) {
    const hint = `See: tallyhook outbox list --target ${target.name} --state dead`;
    return warning(name, `${dead} dead ${dead === 1 ? 'letter' : 'letters'}`, hint);
  }
  if (known === undefined || !known.present) return skipped(name, 'not taken over yet: serve does so when it starts');
  const waiting = (known.states.waiting ?? 0) + (known.states.failing ?? 0);
  return ok(
    name,
    waiting === 0 ? 'everything is handed on' : `${waiting} ${waiting === 1 ? 'row waits' : 'rows wait'}`,
  );
}

function checkUnproven({ environment, kind, records }: UnprovenRecords): Examined {
  const detail = `${records} ${records === 1 ? 'record waits' : 'records wait'} for an endpoint that is unproven or absent`;
  return warning(
    `forwarding ${environment} ${kind}s`,
    detail,
    'See the endpoint above, or forward with when: received.',
  );
}

import { existsSync } from 'node:fs';
import type { Config } from '../config/load.ts';
import type { Environment, KeyPair } from '../domain/environment.ts';
import type { Archive } from '../store/archive.ts';
import type { KnownTarget, UnprovenRecords } from '../store/outbox.ts';
import type { SystemState } from '../store/system-state.ts';
import type { ClusterView } from './cluster-problems.ts';
import { type ChannelHealth, channelHealth, STANDARD_SWEEP_SHARE, STANDARD_WINDOW_MS } from './health.ts';
import { type Judgement, judged, STUCK_AFTER_MS } from './judgement.ts';
import type { Problem } from './problem.ts';
import type { ServeReport } from './serve-report.ts';

/** How everything stands, and what of it is not well. */
export interface Look extends Judgement {
  readonly system: SystemState;
  /** The configured key pairs of the environments that it is about. */
  readonly keyPairs: readonly KeyPair[];
  readonly channels: readonly ChannelHealth[];
  /** What `serve` reported; null when none answered, or was asked. */
  readonly serve: ServeReport | null;
  /** Records that targets wait for, because their endpoint confirms nothing. */
  readonly unproven: readonly UnprovenRecords[];
  /** How far each target is, also those that are gone. They are for both environments. */
  readonly targets: readonly KnownTarget[];
}

/** A problem without its facts. */
export type SeenProblem = Pick<Problem, 'code'>;

export interface LookOrder {
  readonly nowMs: number;
  readonly config: Pick<Config, 'keyPairs' | 'baseUrl' | 'audit'>;
  /** Only this one; without it both. */
  readonly environment?: Environment | undefined;
  /** The channels are judged by records first seen since then; default the last 7 days. */
  readonly sinceMs?: number;
  /** From 0 to 1; default 0.1. */
  readonly sweepShare?: number;
  /** Default true. */
  readonly expectServe?: boolean;
  /** What the `serve` of this database reports; null when none answered, or was asked. */
  readonly serve: ServeReport | null;
  /** The log that several machines share; null for a machine alone. */
  readonly cluster: ClusterView | null;
}

/** Reads and judges how everything stands. */
export async function look(
  archive: Pick<Archive, 'systemState' | 'channels' | 'unprovenRecords' | 'targets' | 'auditHead'>,
  order: LookOrder,
): Promise<Look> {
  const { nowMs, config, environment, expectServe = true, serve } = order;
  const { sinceMs = nowMs - STANDARD_WINDOW_MS, sweepShare = STANDARD_SWEEP_SHARE } = order;
  const isMeant = (one: { readonly environment: Environment }) =>
    environment === undefined || one.environment === environment;
  const all = await archive.systemState({ stuckBeforeMs: nowMs - STUCK_AFTER_MS });
  const { arrivals, refused, due, findings, stuck, keyRefused, serviceFailing } = all;
  const system: SystemState = {
    ...all,
    arrivals: arrivals.filter(isMeant),
    refused: { ...refused, runs: refused.runs.filter(isMeant) },
    due: due.filter(isMeant),
    findings: findings.filter(isMeant),
    stuck: stuck.filter(isMeant),
    keyRefused: keyRefused.filter(isMeant),
    serviceFailing: serviceFailing.filter(isMeant),
  };
  const channels = (await channelHealth(archive, { nowMs, sinceMs, sweepShare })).filter(isMeant);
  const { baseUrl } = config;
  const keyPairs = config.keyPairs.filter(isMeant);
  const { file } = config.audit.key;
  const lostAuditKey = existsSync(file) || (await archive.auditHead()) === null ? null : file;
  const expectations = { keyPairs, environment, baseUrl, expectServe, lostAuditKey, serve, cluster: order.cluster };
  const unproven = (await archive.unprovenRecords()).filter(isMeant);
  const targets = await archive.targets();
  const judgement = judged(system, channels, targets, expectations);
  return { system, keyPairs, channels, ...judgement, serve, unproven, targets };
}

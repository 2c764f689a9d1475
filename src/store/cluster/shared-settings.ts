import { hash } from 'node:crypto';
import type { CheckRules } from '../../domain/checks/next-check.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import type { CarryOutData } from '../sqlite/carry-out/messages.ts';
import { plainValueOf } from './plain-value.ts';

/** What decides what a write does, beside its entry and the database: the same on every node, or a node carries nothing out. */
export interface SharedSettings {
  readonly zone: string;
  readonly debounceMs: number;
  readonly checkRules: CheckRules;
  /** The digest of the key of encrypted payloads; null without one. */
  readonly encryption: string | null;
  /** The digests of settings that each start takes over into the database, by the setting. */
  readonly takenOver: Readonly<Record<string, string>>;
}

/** What a node of this configuration has in common with the others. */
export function sharedSettings({
  carryOut,
  checkRules,
  cluster,
}: {
  readonly carryOut: CarryOutData;
  readonly checkRules: CheckRules;
  readonly cluster: Pick<ClusterOptions, 'takenOver'>;
}): SharedSettings {
  const { zone, debounceMs, encryption } = carryOut;
  const digest = encryption && hash('sha256', `${encryption.keyHex} ${encryption.ivHex}`);
  return { zone, debounceMs, checkRules, encryption: digest, takenOver: cluster.takenOver };
}

/** Names the settings, as text, under which a node calls: calls of a node with others are refused where they are carried out. */
export function settingsDigest(settings: string): string {
  return hash('sha256', settings).slice(0, 16);
}

/** Whether two settings, as text, have the same key of encrypted payloads: without the key of the cluster nothing can be carried out for it. */
export function isSameKey(one: string, other: string): boolean {
  const [here, there] = [one, other].map((text) => (plainValueOf(text) as SharedSettings).encryption);
  return here === there;
}

/** The names of the settings in the configuration; what the store has in milliseconds is shown so. */
const NAMES: Readonly<Record<string, string>> = {
  zone: 'timeZone',
  debounceMs: 'confirm.debounceSeconds',
  encryption: 'service.encryption',
  unsettledMs: 'confirm.unsettledMinutes',
  awaitingSettlementMs: 'confirm.awaitingSettlementMinutes',
  watchMs: 'confirm.watchDays',
  unprovenMs: 'confirm.unprovenMinutes',
  attempts: 'confirm.attempts',
  awaitingSettlementAttempts: 'confirm.awaitingSettlementAttempts',
  jitter: 'confirm.jitterPercent',
};
/** What differs between the settings of a node and those of the cluster, both as text: each setting, with its values where they can be shown. */
export function differingSettings(own: string, ofCluster: string): string[] {
  const [here, there] = [valuesOf(own), valuesOf(ofCluster)];
  return [...new Set([...here.keys(), ...there.keys()])].flatMap((name) => {
    const [one, other] = [here.get(name), there.get(name)];
    if (one === other) return [];
    if (other === undefined) return `${name} is set here alone`;
    if (one === undefined) return `${name} is not set here`;
    return DIGESTS.test(name) ? `${name} differs` : `${name} is ${one} here and ${other} in the cluster`;
  });
}

/** Settings that have a digest for a value. */
const DIGESTS = /^(?:service\.encryption|forward\.|approvals)/;

/** By its name in the configuration, every setting with its value as text. */
function valuesOf(settings: string): Map<string, string> {
  const { checkRules, takenOver, ...others } = plainValueOf(settings) as SharedSettings;
  return new Map([
    ...Object.entries({ ...others, ...checkRules }).map(
      ([name, value]) => [NAMES[name] ?? name, JSON.stringify(value)] as const,
    ),
    ...Object.entries(takenOver),
  ]);
}

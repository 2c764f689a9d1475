import type { ApprovalRules } from '../domain/access/approval.ts';
import type { CheckRules } from '../domain/checks/next-check.ts';
import { nodeKeyOf } from '../domain/cluster/node-key.ts';
import type { NodeRole } from '../domain/cluster/node-role.ts';
import type { KeyPair } from '../domain/environment.ts';
import { sha256 } from '../domain/events/json.ts';
import { type ConfiguredTarget, rulesOfTarget } from '../domain/forwarding/forward-target.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/clock.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { letsReceive, StoreError } from './error.ts';
import type { StoreOptions } from './library.ts';
import { openStore } from './open.ts';
import type { Store } from './store.ts';

/** Wait before the rules of approvals are taken over again after a failure. */
const PLAN_AGAIN_MS = 1_000;

/** What of the configuration a store depends on. Each setting is in docs/configuration.md. */
export interface StoreSettings {
  readonly database: string;
  readonly timeZone: string;
  readonly service: { readonly encryption: { readonly key: Secret; readonly iv: Secret } | null };
  readonly audit: { readonly key: { readonly file: string } };
  readonly confirm: CheckSettings & { readonly debounceSeconds: number };
  readonly approvals: Omit<ApprovalRules, 'validMs'> & { readonly validHours: number; readonly isStated: boolean };
  readonly forward: { readonly targets: readonly ConfiguredTarget[] };
  readonly cluster: ClusterSettings;
  readonly keyPairs: readonly KeyPair[];
}

interface ClusterSettings {
  readonly url: string | null;
  readonly password: Secret | null;
  readonly upkeep: { readonly role: string; readonly password: Secret | null } | null;
  readonly ca: string | null;
  readonly node: string;
  readonly roles: readonly NodeRole[];
  readonly replicated: boolean;
  readonly commitMs: number;
  readonly connectMs: number;
  readonly keepDays: number;
}

interface CheckSettings {
  readonly unsettledMinutes: readonly number[];
  readonly awaitingSettlementMinutes: number;
  readonly watchDays: readonly number[];
  readonly unprovenMinutes: number;
  readonly attempts: number;
  readonly awaitingSettlementAttempts: number;
  readonly jitterPercent: number;
}

/**
 * The store of a configuration, with its rules of checking: the same for `serve`, the jobs and every command. `serve`, and each command whose
 * configuration states it, takes over into the database what needs a second person: there it holds for those whose configuration does not say.
 */
export function storeOf(settings: StoreSettings, { clock }: Pick<StoreOptions, 'clock'> = {}): Store {
  const { encryption } = settings.service;
  const cluster = clusterOf(settings);
  const store = openStore(settings.database, {
    zone: settings.timeZone,
    encryption: encryption && { keyHex: encryption.key, ivHex: encryption.iv },
    debounceMs: settings.confirm.debounceSeconds * SECOND_MS,
    checkRules: checkRulesOf(settings.confirm),
    auditKey: settings.audit.key.file,
    ...(clock !== undefined && { clock }),
    ...(cluster !== null && { cluster }),
  });
  const rules = approvalRulesOf(settings.approvals);
  return {
    ...store,

    async operations(options) {
      const operations = await store.operations(options);
      if (!settings.approvals.isStated) return operations;
      try {
        await operations.approvals.plan({ rules });
      } catch (error) {
        await operations.close();
        throw error;
      }
      return operations;
    },

    async inbox(options) {
      const inbox = await store.inbox(options);
      if (cluster !== null && !cluster.roles.includes('work')) return inbox; // without a database it writes nothing but deliveries
      await planRules(() => inbox.operations.approvals.plan({ rules })).catch(async (error) => {
        await inbox.close();
        throw error;
      });
      return inbox;
    },
  };
}

/** Takes the rules over. On a full disk, or while a node carries nothing out, deliveries come first: it is tried again until the store closes. */
async function planRules(plan: () => Promise<unknown>): Promise<void> {
  try {
    await plan();
  } catch (error) {
    if (!(error instanceof StoreError && letsReceive(error.fault))) throw error;
    // A later one that cannot be tried again is left to the next who opens operations.
    if (error.fault !== 'closing') setTimeout(() => void planRules(plan).catch(() => {}), PLAN_AGAIN_MS).unref();
  }
}

export function approvalRulesOf({ validHours, isStated: _, ...rules }: StoreSettings['approvals']): ApprovalRules {
  return { ...rules, validMs: validHours * HOUR_MS };
}

/** How this machine takes part in the log of several; null for a machine alone. */
export function clusterOf({
  cluster,
  keyPairs,
  ...settings
}: Pick<StoreSettings, 'cluster' | 'keyPairs' | 'forward' | 'approvals'>): ClusterOptions | null {
  const { url, password, upkeep, ca, node, roles, replicated, commitMs, connectMs, keepDays } = cluster;
  if (url === null) return null;
  return {
    node,
    roles,
    keepDays,
    keys: keyPairs.map(nodeKeyOf),
    takenOver: takenOver(settings),
    log: {
      kind: 'postgres',
      url,
      password: password?.reveal() ?? null,
      upkeep: upkeep && { role: upkeep.role, password: upkeep.password?.reveal() ?? null },
      ...{ ca, replicated, commitMs, connectMs },
    },
  };
}

/** What each start takes over into the database: the machine that starts last must not decide it for all. */
function takenOver({ forward, approvals }: Pick<StoreSettings, 'forward' | 'approvals'>): Record<string, string> {
  const targets = forward.targets.map(rulesOfTarget).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const all: [string, object][] = targets.map((rules) => [`forward.targets ${rules.name}`, rules]);
  all.push(['approvals', approvalRulesOf(approvals)]);
  return Object.fromEntries(all.map(([name, rules]) => [name, sha256(JSON.stringify(rules))]));
}

export function checkRulesOf(confirm: CheckSettings): CheckRules {
  return {
    unsettledMs: confirm.unsettledMinutes.map((minutes) => minutes * MINUTE_MS),
    awaitingSettlementMs: confirm.awaitingSettlementMinutes * MINUTE_MS,
    watchMs: confirm.watchDays.map((days) => days * DAY_MS),
    unprovenMs: confirm.unprovenMinutes * MINUTE_MS,
    attempts: confirm.attempts,
    awaitingSettlementAttempts: confirm.awaitingSettlementAttempts,
    jitter: confirm.jitterPercent / 100,
  };
}

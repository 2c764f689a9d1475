import type { Config } from '../../../src/config/load.ts';
import { locateConfig } from '../../../src/config/locate.ts';
import { ENVIRONMENTS, type Environment } from '../../../src/domain/environment.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import type { Examined } from '../../../src/store/examination.ts';
import type { UnprovenRecords } from '../../../src/store/outbox.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { UsageError } from '../../options/options.ts';
import { checkAuditKey } from './audit-key-check.ts';
import { checkClock } from './clock-check.ts';
import { checkCluster } from './cluster-check.ts';
import { checkConfiguration } from './configuration-check.ts';
import { checkForwarding } from './forward-check.ts';
import { checkModes } from './modes-check.ts';
import { checkOpenFiles } from './open-files-check.ts';
import { probe } from './probe.ts';
import { checkDeliveries, checkRunning } from './running-check.ts';
import { checkBackups, checkSchedule } from './schedule-check.ts';
import { checkService } from './service-check.ts';
import { checkKeys, checkLimits, checkNode } from './setup-checks.ts';

interface DoctorArguments {
  readonly config: string | undefined;
  readonly publicUrl: string | undefined;
  readonly offline: boolean;
  readonly deep: boolean;
}

/** What `tallyhook doctor` found. */
export interface Examination {
  /** In the order in which they are printed. */
  readonly checks: readonly Examined[];
  /** Those with keys, which this installation is there for. */
  readonly environments: readonly Environment[];
  /** Records that targets wait for. */
  readonly unproven: readonly UnprovenRecords[];
}

/** Every check of `tallyhook doctor`. */
export async function checkAll({ publicUrl, ...argv }: DoctorArguments): Promise<Examination> {
  const config = await configFrom(argv);
  const cwd = process.cwd();
  const configuration = checkConfiguration(locateConfig({ file: argv.config, env: process.env, cwd }), config, cwd);
  // Without a configuration every other check would judge defaults that the user never chose.
  if (configuration.status === 'failed')
    return { checks: [configuration, checkNode()], environments: [], unproven: [] };
  const store = storeOf(config);
  const nowMs = systemClock.nowMs();
  const forwarding = await checkForwarding(config, store, nowMs);
  const checks = [
    configuration,
    checkNode(),
    ...checkKeys(config, nowMs),
    ...(await checkService(config, argv)),
    await checkRunning(config),
    ...(await checkDeliveries(config, store, nowMs)),
    ...checkModes(config),
    checkLimits(config),
    checkOpenFiles(config),
    ...(await store.upkeep.examine({ deep: argv.deep })),
    await checkAuditKey(config, store),
    ...(await checkCluster(store, config.cluster.upkeep !== null)),
    checkBackups(config),
    ...(await checkSchedule(config, store, nowMs)),
    ...forwarding.checks,
    await checkClock(config, argv),
    ...(publicUrl === undefined ? [] : await probeAll(config, publicUrl, nowMs)),
  ];
  const environments = ENVIRONMENTS.filter((one) => config.keyPairs.some(({ environment }) => environment === one));
  return { checks, environments, unproven: forwarding.unproven };
}

/** Probes each environment with its key pair that has no `notAfter`: the one that the service should sign with. */
async function probeAll(config: Config, publicUrl: string, nowMs: number): Promise<Examined[]> {
  if (!URL.canParse(publicUrl)) throw new UsageError(`--public-url is not a URL: ${JSON.stringify(publicUrl)}.`);
  const base = publicUrl.replace(/\/+$/, '').replace(/\/webhooks(\/(test|live))?$/, '');
  const checks: Examined[] = [];
  for (const environment of ['test', 'live'] as const) {
    const keyPair = config.keyPairs.find((pair) => pair.environment === environment && pair.notAfter === null);
    if (keyPair === undefined) continue;
    checks.push(
      ...(await probe({ name: `probe ${environment}`, url: `${base}/webhooks/${environment}`, keyPair, nowMs })),
    );
  }
  return checks;
}

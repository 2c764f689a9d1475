import type { Config } from '../../src/config/load.ts';
import { locateConfig } from '../../src/config/locate.ts';
import { storeOf } from '../../src/confirm/store.ts';
import type { Examined } from '../../src/store/examination.ts';
import { systemClock } from '../../src/time/clock.ts';
import { configFrom } from '../context/config.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { differencesFound, print, printJson, verdictText } from '../show/output.ts';
import { checkClock } from './doctor/clock-check.ts';
import { checkConfiguration } from './doctor/configuration-check.ts';
import { checkOpenFiles } from './doctor/open-files-check.ts';
import { probe } from './doctor/probe.ts';
import { checkRunning } from './doctor/running-check.ts';
import { checkBackups, checkSchedule } from './doctor/schedule-check.ts';
import { checkService } from './doctor/service-check.ts';
import { checkKeys, checkLimits, checkModes, checkNode } from './doctor/setup-checks.ts';

/** `tallyhook doctor`: checks that this installation keeps every delivery safely. */
export function addDoctorCommand(cli: Cli): Cli {
  return cli.command(
    'doctor',
    'Check configuration, keys at the service, serve, disk, database, schedule, clock and the proxy',
    (command) =>
      command
        .option('public-url', {
          type: 'string',
          requiresArg: true,
          describe: 'Send a signed and a forged probe to this address (of the proxy)',
        })
        .option('offline', { type: 'boolean', default: false, describe: 'Do not call the service' })
        .example('$0 doctor', 'This installation, and one harmless question to the service per environment')
        .example('$0 doctor --public-url https://hooks.example.com', 'Also the path of a webhook')
        .epilogue('Exit code 3 when a check failed or warned. The probe is kept as an unknown event.'),
    async (argv) => {
      const checks = await checkAll(argv);
      if (argv.json) printJson({ checks });
      else for (const check of checks) printCheck(check);
      if (checks.some(({ status }) => status === 'failed' || status === 'warning')) differencesFound();
    },
  );
}

interface DoctorArguments {
  readonly config: string | undefined;
  readonly publicUrl: string | undefined;
  readonly offline: boolean;
}

async function checkAll({ publicUrl, ...argv }: DoctorArguments): Promise<Examined[]> {
  const config = configFrom(argv);
  const cwd = process.cwd();
  const configuration = checkConfiguration(locateConfig({ file: argv.config, env: process.env, cwd }), config, cwd);
  // Without a configuration every other check would judge defaults that the user never chose.
  if (configuration.status === 'failed') return [configuration, checkNode()];
  const store = storeOf(config);
  const nowMs = systemClock.nowMs();
  return [
    configuration,
    checkNode(),
    ...checkKeys(config, nowMs),
    ...(await checkService(config, argv)),
    await checkRunning(config),
    ...checkModes(config),
    checkLimits(config),
    checkOpenFiles(config),
    ...(await store.upkeep.examine()),
    checkBackups(config),
    ...(await checkSchedule(config, store, nowMs)),
    await checkClock(config, argv),
    ...(publicUrl === undefined ? [] : await probeAll(config, publicUrl, nowMs)),
  ];
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

const MARK = { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

function printCheck({ name, status, detail, hint }: Examined): void {
  const mark = verdictText(MARK[status].padEnd(8), status === 'ok' || status === 'skipped');
  print(`${mark} ${name}: ${detail}`);
  if (hint !== undefined) print(`         ${hint}`);
}

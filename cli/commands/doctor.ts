import type { Config } from '../../src/config/load.ts';
import { storeOf } from '../../src/confirm/store.ts';
import type { Examined } from '../../src/store/examination.ts';
import { systemClock } from '../../src/time/clock.ts';
import { configFrom } from '../context/config.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { differencesFound, print, printJson, verdictText } from '../show/output.ts';
import { probe } from './doctor/probe.ts';
import { checkSchedule } from './doctor/schedule-check.ts';
import { checkClock, checkKeys, checkLimits, checkModes, checkNode } from './doctor/setup-checks.ts';

/** `tallyhook doctor`: checks that this installation keeps every delivery safely. */
export function addDoctorCommand(cli: Cli): Cli {
  return cli.command(
    'doctor',
    'Check configuration, disk, database, schedule, clock and the path through the proxy',
    (command) =>
      command
        .option('public-url', {
          type: 'string',
          requiresArg: true,
          describe: 'Send a signed and a forged probe to this address (of the proxy)',
        })
        .example('$0 doctor', 'All checks on this machine')
        .example('$0 doctor --public-url https://hooks.example.com', 'Also the path of a webhook')
        .epilogue('Exit code 3 when a check failed or warned. The probe is kept as an unknown event.'),
    async (argv) => {
      const config = configFrom(argv);
      const store = storeOf(config);
      const nowMs = systemClock.nowMs();
      const checks = [
        checkNode(),
        ...checkKeys(config, nowMs),
        ...checkModes(config),
        checkLimits(config),
        ...(await store.upkeep.examine()),
        ...(await checkSchedule(config, store, nowMs)),
        await checkClock(config),
        ...(argv.publicUrl === undefined ? [] : await probeAll(config, argv.publicUrl, nowMs)),
      ];
      if (argv.json) printJson({ checks });
      else for (const check of checks) printCheck(check);
      if (checks.some(({ status }) => status === 'failed' || status === 'warning')) differencesFound();
    },
  );
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

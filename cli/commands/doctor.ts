import type { Examined } from '../../src/store/examination.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { differencesFound, print, printJson, verdictText } from '../show/output.ts';

/** `tallyhook doctor`: checks that this installation keeps every delivery safely. */
export function addDoctorCommand(cli: Cli): Cli {
  return cli.command(
    'doctor',
    SUMMARY.doctor,
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
      const { checkAll } = await import('./doctor/all-checks.ts');
      const checks = await checkAll(argv);
      if (argv.json) printJson({ checks });
      else for (const check of checks) printCheck(check);
      if (checks.some(({ status }) => status === 'failed' || status === 'warning')) differencesFound();
    },
  );
}

const MARK = { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

function printCheck({ name, status, detail, hint }: Examined): void {
  const mark = verdictText(MARK[status].padEnd(8), status === 'ok' || status === 'skipped');
  print(`${mark} ${name}: ${detail}`);
  if (hint !== undefined) print(`         ${hint}`);
}

import type { Examined } from '../../src/store/examination.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { differencesFound, print, printJson, terminalWidth, verdictText } from '../show/output.ts';
import { asCalled } from '../show/program.ts';
import { wrapped } from '../show/text.ts';

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

const INDENT = ' '.repeat(9);

function printCheck({ name, status, detail, hint }: Examined): void {
  // What was not checked is no good news.
  const word = MARK[status].padEnd(8);
  const mark = status === 'skipped' ? word : verdictText(word, status === 'ok');
  const room = terminalWidth() - INDENT.length;
  const lines = [
    ...wrapped(asCalled(`${name}: ${detail}`), room),
    ...(hint === undefined ? [] : wrapped(asCalled(hint), room)),
  ];
  lines.forEach((line, index) => {
    print(`${index === 0 ? `${mark} ` : INDENT}${line}`);
  });
}

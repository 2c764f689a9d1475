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
      const { checks, unproven } = await checkAll(argv);
      if (argv.json) printJson({ checks, forward: { unproven } });
      else for (const check of checks) printCheck(check);
      if (checks.some(({ status }) => status === 'failed' || status === 'warning')) differencesFound();
    },
  );
}

const MARK_WIDTH = 8;
const MARK = { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

function printCheck({ name, status, detail, hint }: Examined): void {
  const mark = MARK[status].padEnd(MARK_WIDTH);
  const shown = status === 'skipped' ? mark : verdictText(mark, status === 'ok');
  const room = terminalWidth() - MARK_WIDTH - 1;
  const [first = '', ...further] = [`${name}: ${detail}`, ...(hint === undefined ? [] : [hint])].flatMap((text) =>
    wrapped(asCalled(text), room),
  );
  print(`${shown} ${first}`);
  for (const line of further) print(`${' '.repeat(MARK_WIDTH)} ${line}`);
}

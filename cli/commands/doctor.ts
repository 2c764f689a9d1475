import type { Environment } from '../../src/domain/environment.ts';
import type { Examined } from '../../src/store/examination.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { bold, differencesFound, print, printJson, terminalWidth, verdictText } from '../show/output.ts';
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
        .option('deep', {
          type: 'boolean',
          default: false,
          describe: 'Read all of a large database, too: half a minute for each GB',
        })
        .option('offline', { type: 'boolean', default: false, describe: 'Do not call the service' })
        .example('$0 doctor', 'This installation, and one harmless question to the service per environment')
        .example('$0 doctor --public-url https://hooks.example.com', 'Also the path of a webhook')
        .epilogue('Exit code 3 when a check failed or warned. The probe is kept as an unknown event.'),
    async (argv) => {
      const { checkAll } = await import('./doctor/all-checks.ts');
      const { checks, environments, unproven } = await checkAll(argv);
      const verdict = { fitFor: fitFor(checks, environments), ...countsOf(checks) };
      if (argv.json) printJson({ checks, forward: { unproven }, verdict });
      else {
        for (const check of checks) printCheck(check);
        print(bold(verdictLine(verdict, environments)));
      }
      if (checks.some(({ status }) => status === 'failed' || status === 'warning')) differencesFound();
    },
  );
}

type Counts = Readonly<Record<Examined['status'], number>>;

function countsOf(checks: readonly Examined[]): Counts {
  const count = (wanted: Examined['status']) => checks.filter(({ status }) => status === wanted).length;
  return { ok: count('ok'), warning: count('warning'), failed: count('failed'), skipped: count('skipped') };
}

/** The environments with keys, unless a check failed: a warning is to be seen to, and stops no webhook. */
function fitFor(checks: readonly Examined[], environments: readonly Environment[]): readonly Environment[] {
  return checks.some(({ status }) => status === 'failed') ? [] : environments;
}

/** `Fit for live and test: 19 of 22 checks ok, 2 warnings, 1 skipped.` */
function verdictLine(
  verdict: Counts & { readonly fitFor: readonly Environment[] },
  asked: readonly Environment[],
): string {
  const { ok, warning, failed, skipped } = verdict;
  const head =
    verdict.fitFor.length > 0 ? 'Fit for ' : asked.length === 0 ? 'Not fit to receive webhooks' : 'Not fit for ';
  const parts = [
    `${ok} of ${ok + warning + failed + skipped} checks ok`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warning > 0 ? [`${warning} ${warning === 1 ? 'warning' : 'warnings'}`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${head}${asked.toReversed().join(' and ')}: ${parts.join(', ')}.`;
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

import { existsSync } from 'node:fs';
import closeWithGrace from 'close-with-grace';
import { destination, pino } from 'pino';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type Sandbox, type SandboxOptions, StateFileError, startSandbox } from '../../../src/sandbox/index.ts';
import { FAULT_SIGNALS } from '../../context/graceful-stop.ts';
import { JSON_LINES } from '../../context/serve-log.ts';
import { bold, note, print, printJson, printTable } from '../../show/output.ts';
import { calledAs } from '../../show/program.ts';
import { chaosFileAt } from './chaos-input.ts';
import { announceConnection, RECEIVER_URLS } from './connection.ts';
import { firstCommands } from './first-commands.ts';

/** Longest time to close the server and write the state file after a signal. */
const CLOSE_WITHIN_MS = 5_000;

export interface StartOptions {
  readonly host: string;
  readonly port: number;
  readonly seed: number | undefined;
  readonly chaos: string | undefined;
  readonly state: string | undefined;
  readonly clock: 'running' | 'manual';
  readonly speed: number;
  readonly webhookUrl: string | undefined;
  readonly liveWebhookUrl: string | undefined;
  readonly checkoutUrl: string | undefined;
  readonly controlHost: string | undefined;
  readonly json: boolean | undefined;
}

/** Runs a sandbox until a signal. Prints its keys, its addresses and commands to paste. */
export async function runSandbox(options: StartOptions): Promise<void> {
  const sandbox = await open(options);
  const forget = announceConnection({ url: sandbox.url, token: sandbox.controlToken });
  closeWithGrace({ delay: CLOSE_WITHIN_MS, logger: false, skip: [...FAULT_SIGNALS] }, async ({ err, signal }) => {
    if (err) note(`tallyhook: unexpected error, stopping: ${err.stack}`);
    else note(`tallyhook: ${signal}: stopping`);
    forget();
    try {
      await sandbox.close();
    } catch (error) {
      note(`tallyhook: ${(error as Error).message}`);
      throw error; // ends with 1
    }
  });
  if (options.json) printJson(facts(sandbox));
  else show(sandbox);
}

async function open(options: StartOptions): Promise<Sandbox> {
  const chaos = options.chaos === undefined ? {} : chaosFileAt(options.chaos);
  const { seed = chaos.seed, host, port, clock, speed, checkoutUrl, controlHost, state } = options;
  const controlToken = process.env.TALLYHOOK_SANDBOX_TOKEN; // a fixed token, for containers and CI
  const wanted: SandboxOptions = {
    host,
    port,
    clock,
    speed,
    controlHosts: controlHost?.split(',') ?? [],
    logger: pino({ level: 'warn', ...JSON_LINES }, destination({ dest: 2, sync: false })),
    ...(controlToken === undefined ? {} : { controlToken }),
    ...(seed === undefined ? {} : { seed }),
    ...(chaos.settings === undefined ? {} : { settings: chaos.settings }),
    ...(chaos.rules === undefined ? {} : { chaos: chaos.rules }),
    ...(checkoutUrl === undefined ? {} : { checkoutUrl }),
    ...(state === undefined ? {} : { stateFile: state }),
    ...target('webhookUrl', options.webhookUrl, RECEIVER_URLS.test, state),
    ...target('liveWebhookUrl', options.liveWebhookUrl, RECEIVER_URLS.live, state),
  };
  try {
    return await startSandbox(wanted);
  } catch (error) {
    if (error instanceof StateFileError)
      throw new TallyhookError(error.message, { kind: 'configuration', hint: error.hint, cause: error });
    throw listenError(error as NodeJS.ErrnoException, { host, port });
  }
}

/** The error with a message and a hint if the sandbox could not listen, else the error unchanged. */
function listenError(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  const { code = '' } = error;
  if (code === 'EADDRINUSE')
    return new TallyhookError(`Port ${port} of ${host} is taken.`, {
      kind: 'usage',
      hint: 'Another sandbox may be running. Choose another port with --port, or any free one with --port 0.',
      cause: error,
    });
  if (code === 'EACCES')
    return new TallyhookError(`This user may not listen on port ${port}.`, {
      kind: 'usage',
      hint: 'Choose a port above 1023 with --port, or any free one with --port 0.',
      cause: error,
    });
  if (!['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) return error;
  return new TallyhookError(`The sandbox cannot listen on ${host}: it is not an address of this machine (${code}).`, {
    kind: 'usage',
    hint: 'Choose one with --host, such as 127.0.0.1, or 0.0.0.0 for all of them.',
    cause: error,
  });
}

/** The webhook URL: the given one, else that of the state file, else the receiver on this machine. */
function target(
  name: 'webhookUrl' | 'liveWebhookUrl',
  given: string | undefined,
  standard: string,
  state: string | undefined,
): Partial<Record<typeof name, string | null>> {
  if (given !== undefined) return { [name]: given === 'none' ? null : given };
  return state !== undefined && existsSync(state) ? {} : { [name]: standard };
}

function facts(sandbox: Sandbox) {
  return {
    url: sandbox.url,
    checkoutUrl: sandbox.checkoutUrl,
    seed: sandbox.seed,
    now: sandbox.now(),
    controlToken: sandbox.controlToken,
    merchants: sandbox.merchants().map(({ id, name, keys, webhookUrls }) => ({ id, name, keys, webhookUrls })),
    commands: firstCommands(sandbox, calledAs()),
  };
}

function show(sandbox: Sandbox): void {
  const { url } = sandbox;
  print(`${bold('Sandbox')}    ${url}   seed ${sandbox.seed}`);
  print(`Checkout   ${sandbox.checkoutUrl}/pay/{reference}`);
  print(`Document   ${url}/openapi.yaml`);
  print(`Controls   ${url}/sandbox/   token ${sandbox.controlToken}\n`);
  const rows = sandbox.merchants().flatMap(({ name, keys: pairs, webhookUrls }) =>
    (['test', 'live'] as const).map((environment) => ({
      name,
      environment,
      ...pairs[environment],
      url: webhookUrls[environment],
    })),
  );
  printTable(rows, [
    { header: 'MERCHANT', value: (row) => row.name },
    { header: 'ENVIRONMENT', value: (row) => row.environment },
    { header: 'PUBLIC KEY', value: (row) => row.publicKey },
    { header: 'SECRET KEY', value: (row) => row.secretKey },
    { header: 'WEBHOOKS TO', value: (row) => row.url ?? 'nowhere' },
  ]);
  for (const { about, lines } of firstCommands(sandbox, calledAs())) {
    print(`\n${bold(about)}`);
    for (const line of lines) print(line);
  }
  note(`\nStop it with Ctrl-C. More: ${calledAs()} sandbox --help`);
}

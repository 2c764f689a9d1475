import { type Cli, UsageError, wholeNumberOption } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addBankControls } from './sandbox/bank.ts';
import { addChaosControls } from './sandbox/chaos.ts';
import { RECEIVER_URLS } from './sandbox/connection.ts';
import { addMoneyControls } from './sandbox/money.ts';
import { addRecordControls } from './sandbox/records.ts';
import { addStateControls } from './sandbox/state.ts';
import { addStatements } from './sandbox/statements.ts';
import { addTimeControls } from './sandbox/time.ts';
import { addWebhookControls } from './sandbox/webhooks.ts';

/** `tallyhook sandbox` runs the payment service on this machine; its subcommands are the controls of a running sandbox. */
export function addSandboxCommand(cli: Cli): Cli {
  return cli.command(
    'sandbox',
    SUMMARY.sandbox,
    (command) => {
      const start = command
        .options(START_OPTIONS)
        .example('$0 sandbox --seed 7', 'Start it; the same seed gives the same keys')
        .example('$0 sandbox --chaos chaos.yaml', 'Start it with planted faults')
        .example('$0 sandbox advance 2h', 'In another terminal: move its clock forward');
      return [
        addTimeControls,
        addMoneyControls,
        addBankControls,
        addStatements,
        addRecordControls,
        addWebhookControls,
        addChaosControls,
        addStateControls,
      ].reduce((all, add) => {
        add(all as unknown as Cli);
        return all;
      }, start);
    },
    // Loaded only to start a sandbox: the controls need no server.
    async (argv) => (await import('./sandbox/start.ts')).runSandbox(argv),
  );
}

/** yargs would give the options to the controls, too. */
const OWN = { global: false } as const;

const START_OPTIONS = {
  host: { type: 'string', requiresArg: true, default: '127.0.0.1', describe: 'Address to listen on', ...OWN },
  port: {
    ...wholeNumberOption('port', { most: 65_535, standard: 4602, describe: 'Port; 0 takes a free one' }),
    ...OWN,
  },
  seed: {
    ...wholeNumberOption('seed', {
      most: 2 ** 31,
      standard: undefined,
      describe: 'Same keys, references and chaos each time',
    }),
    ...OWN,
  },
  chaos: { type: 'string', requiresArg: true, describe: 'YAML file of seed, settings and chaos rules', ...OWN },
  state: { type: 'string', requiresArg: true, describe: 'Keep the state in this file [memory only]', ...OWN },
  clock: {
    choices: ['running', 'manual'],
    default: 'running',
    describe: 'manual: time moves only by `advance`',
    ...OWN,
  },
  speed: {
    ...wholeNumberOption('speed', { least: 1, most: 1_000_000, standard: 1, describe: 'Sandbox seconds per second' }),
    ...OWN,
  },
  'webhook-url': { ...urlOption('webhook-url', RECEIVER_URLS.test, 'URL of test webhooks; none: send none'), ...OWN },
  'live-webhook-url': {
    ...urlOption('live-webhook-url', RECEIVER_URLS.live, 'URL of live webhooks; none: send none'),
    ...OWN,
  },
  'checkout-url': {
    type: 'string',
    requiresArg: true,
    describe: 'Address of the checkout page, behind a proxy',
    coerce: (url: string | undefined) => webUrl('checkout-url', url),
    ...OWN,
  },
  'control-host': {
    type: 'string',
    requiresArg: true,
    describe: 'More host names that may use the controls, with commas',
    ...OWN,
  },
} as const;

function urlOption(name: string, standard: string, describe: string) {
  const coerce = (url: string | undefined): string | undefined =>
    url === 'none' ? url : webUrl(name, url, ', or be none');
  return { type: 'string', requiresArg: true, defaultDescription: standard, describe, coerce } as const;
}

function webUrl(name: string, url: string | undefined, otherwise = ''): string | undefined {
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new UsageError(`--${name} is ${JSON.stringify(url)}: it must start with http:// or https://${otherwise}.`);
}

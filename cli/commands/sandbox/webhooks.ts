import type { Webhook } from '../../../src/sandbox/index.ts';
import { WEBHOOK_STATES } from '../../../src/sandbox/world/webhook.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { answeredNo, print, printJson } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox, query, WHOSE_OPTIONS } from './connection.ts';

/** `sandbox webhooks list · redeliver`, `sandbox webhook-url`. */
export function addWebhookControls(cli: Cli): Cli {
  return addWebhookUrl(
    cli.command('webhooks', 'List its webhooks, or send one again', (command) =>
      addRedeliver(addList(command)).demandCommand(1, 'list or redeliver?'),
    ) as unknown as Cli,
  );
}

function addList(cli: Cli): Cli {
  return cli.command(
    'list',
    'List the delivery log',
    (list) =>
      list
        .option('state', { choices: WEBHOOK_STATES, describe: 'Only this state' })
        .option('event', { type: 'string', requiresArg: true, describe: 'Only this event' })
        .option('reference', { type: 'string', requiresArg: true, describe: 'Only of this record' })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox webhooks list --reference order-1', 'Every delivery of one record'),
    async (argv) => {
      const { state, event, reference } = argv;
      const path = `/webhooks${query({ state, event, reference })}`;
      const { webhooks } = await callSandbox<{ webhooks: Webhook[] }>(argv, 'GET', path);
      await printList(wholeList(webhooks), argv, {
        json: (webhook) => webhook,
        empty: 'No webhooks match.',
        columns: [
          { header: 'ID', value: (row) => row.id },
          { header: 'EVENT', value: (row) => row.event },
          { header: 'REFERENCE', value: (row) => row.reference },
          { header: 'STATE', value: (row) => row.state },
          { header: 'ATTEMPTS', value: (row) => row.attempts.length, align: 'right' },
          {
            header: 'LAST ANSWER',
            value: (row) => row.attempts.at(-1)?.httpStatus ?? row.attempts.at(-1)?.error ?? null,
          },
          { header: 'CHAOS', value: (row) => row.faults.join(', ') },
        ],
      });
    },
  );
}

function addRedeliver(cli: Cli): Cli {
  return cli.command(
    'redeliver <id>',
    'Send one again',
    (redeliver) =>
      redeliver
        .positional('id', { type: 'string', demandOption: true })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox webhooks redeliver ID', 'An id of webhooks list'),
    async (argv) => {
      const path = `/webhooks/${encodeURIComponent(argv.id)}/redeliver`;
      const webhook = await callSandbox<Webhook>(argv, 'POST', path);
      const last = webhook.attempts.at(-1);
      if (argv.json) printJson(webhook);
      else print(`${webhook.id}  ${webhook.state}  ${last?.httpStatus ?? last?.error ?? ''}`);
      if (webhook.state !== 'delivered') answeredNo();
    },
  );
}

function addWebhookUrl(cli: Cli): Cli {
  return cli.command(
    'webhook-url <address>',
    'Set the URL of its webhooks; none: send none',
    (command) =>
      command
        .positional('address', { type: 'string', demandOption: true })
        .options({ ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS })
        .example('$0 sandbox webhook-url http://127.0.0.1:8080/webhooks/test', 'To a receiver on this machine'),
    async (argv) => {
      const { merchant, environment, address } = argv;
      const url = address === 'none' ? null : address;
      const answer = await callSandbox<unknown>(argv, 'PUT', '/webhook-url', { merchant, environment, url });
      if (argv.json) printJson(answer);
      else if (url === null) print(`${environment} webhooks are not sent`);
      else print(`${environment} webhooks go to ${url}`);
    },
  );
}

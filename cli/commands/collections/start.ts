import type { Amount } from '../../../src/domain/money/amount.ts';
import { requireTexts } from '../../../src/service/calls/request-body.ts';
import { commonBody, FORCED_STATUSES, withFurtherFields } from '../../../src/service/collections/request.ts';
import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { amountOption, chosenReference, YES_OPTION } from '../../options/money.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { checkedOptions } from '../../options/request-options.ts';
import { allowed, announceReference, printResult } from '../../show/call.ts';
import { readCard } from './card-input.ts';

const CHANNELS = ['card', 'bank-transfer', 'ussd', 'momo'] as const;

/** `tallyhook collections start CHANNEL`: starts a payment. Card details come from a prompt or stdin, never from options. */
export function addCollectionStartCommand(cli: Cli): Cli {
  return cli.command(
    'start <channel>',
    'Start a payment by card, bank transfer, USSD or mobile money',
    (command) =>
      command
        .positional('channel', { choices: CHANNELS, demandOption: true, describe: 'How the customer pays' })
        .option('amount', { ...amountOption('Such as 1500.50'), demandOption: true })
        .option('currency', { type: 'string', requiresArg: true, describe: 'Currency [KES for momo, else NGN]' })
        .option('email', { type: 'string', requiresArg: true, describe: 'Of the customer; not needed for momo' })
        .option('phone', { type: 'string', requiresArg: true, describe: 'momo: the payer’s phone' })
        .option('bank-name', { type: 'string', requiresArg: true, describe: 'momo: the operator' })
        .option('bank-code', { type: 'string', requiresArg: true, describe: 'ussd: of the customer’s bank (observed)' })
        .option('field', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'NAME=VALUE, sent as it is: what the interface does not show (unproven); several: repeated',
        })
        .option('description', { type: 'string', requiresArg: true, describe: 'Free text' })
        .option('reference', {
          type: 'string',
          requiresArg: true,
          describe: 'Your own, 1 to 255 of A-Z a-z 0-9 _ . -, better 16 or more [made]',
        })
        .option('wallet', { type: 'boolean', default: false, describe: 'bank-transfer, ussd: into a wallet' })
        .option('wallet-code', { type: 'string', requiresArg: true, describe: 'Which wallet; implies --wallet' })
        .option('status', { choices: FORCED_STATUSES, describe: 'Outcome to simulate; ignored in live' })
        .option('resend', {
          type: 'boolean',
          default: false,
          describe: 'Send a reference again whose outcome is unknown; the customer may be charged twice',
        })
        .options({ ...ENVIRONMENT_OPTION, ...YES_OPTION, ...REVEAL_OPTION })
        .example(
          '$0 collections start card --amount 20 --currency USD --email ada@example.com --yes',
          'Prompts for the card',
        )
        .example(
          '$0 collections start bank-transfer --amount 500 --email ada@example.com --wallet --yes',
          'Into a wallet',
        )
        .epilogue(
          'Card details: four lines on stdin (number, month, year, security code), or the prompt. After an unknown outcome run it again with the same --reference: it checks the status and starts no second payment.',
        ),
    async (argv) => {
      const { channel, environment, description, status, email, phone, bankName, bankCode, walletCode, resend } = argv;
      const currency = (argv.currency ?? (channel === 'momo' ? 'KES' : 'NGN')).toUpperCase();
      const chosen = chosenReference(argv.reference, 'order');
      const { reference } = chosen;
      const fields = fieldsOf(argv.field);
      const common = { reference, amount: argv.amount as Amount, currency, description, status, fields };
      const wallet = argv.wallet || walletCode !== undefined;
      const named = required(channel, { email, phone, bankName, bankCode });
      const request = { ...common, ...named, walletCode };
      const does = `begin a payment by ${channel}${wallet ? ' into a wallet' : ''}`;
      if (wallet && (channel === 'card' || channel === 'momo'))
        throw new UsageError(`${channel} has no wallet variant.`);
      checkedOptions(() => {
        withFurtherFields(commonBody(common), fields);
        requireTexts(Object.fromEntries(NEEDED[channel].map((name) => [name, named[name]])));
      });
      if (!allowed({ does, environment, request, made: chosen.made }, argv)) return;
      const started = await withService(argv, async ({ collections }) => {
        const { bankTransfer, bankTransferToWallet, ussd, ussdToWallet, mobileMoney } = collections;
        const options = { resend };
        const announce = () => chosen.made && announceReference(reference);
        if (channel !== 'card') announce();
        if (channel === 'momo') return mobileMoney(request, options);
        if (channel === 'ussd') return (wallet ? ussdToWallet : ussd)(request, options);
        if (channel === 'bank-transfer') return (wallet ? bankTransferToWallet : bankTransfer)(request, options);
        const given = await readCard(environment);
        const card = typeof given === 'string' ? given : await collections.encryptTestCard({ card: given, reference });
        announce();
        return collections.card({ ...common, email: named.email, card }, options);
      });
      // The customer must see in full where to pay: with a bank transfer, the account of the answer.
      printResult(started, { ...argv, reveal: argv.reveal || channel === 'bank-transfer' });
    },
  );
}

const NEEDED = {
  card: ['email'],
  'bank-transfer': ['email'],
  ussd: ['email'],
  momo: ['phone', 'bankName'],
} as const satisfies Record<(typeof CHANNELS)[number], readonly string[]>;

interface Named {
  readonly email: string;
  readonly phone: string;
  readonly bankName: string;
  readonly bankCode: string;
}

/** @throws UsageError for one that is not NAME=VALUE, and for a name that comes twice */
function fieldsOf(given: readonly string[] | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const text of given) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`--field is ${JSON.stringify(text)}, and must be NAME=VALUE.`);
    if (fields.has(name)) throw new UsageError(`--field ${name} is given twice.`);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** @throws UsageError when an option that the channel needs is missing */
function required(channel: (typeof CHANNELS)[number], given: { [Name in keyof Named]: string | undefined }): Named {
  for (const name of NEEDED[channel]) {
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (given[name] === undefined) throw new UsageError(`${channel} needs --${option}.`);
  }
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as Named;
}

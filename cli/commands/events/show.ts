import { TallyhookError } from '../../../src/domain/error.ts';
import { withArchive } from '../../archive-from.ts';
import { eventDetailJson, printEvent } from '../../event-view.ts';
import { REVEAL_OPTION } from '../../filter-options.ts';
import { type Cli, UsageError } from '../../options.ts';
import { printBytes, printJson } from '../../output.ts';

/** `tallyhook events show ID`: raw body, verdict, deliveries, variants, the record it moved and its findings. */
export function addEventsShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one event: body, verdict, variants, the record it moved, findings',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its number in the list' })
        .options(REVEAL_OPTION)
        .option('raw', { type: 'boolean', default: false, describe: 'Write the exact bytes of the body, nothing else' })
        .option('variant', { type: 'string', requiresArg: true, describe: 'With --raw: the body of this variant' })
        .example('$0 events show 12', 'With account numbers, e-mail addresses and phones masked')
        .example('$0 events show 12 --raw > body.json', 'The bytes that were signed'),
    async (argv) => {
      const id = numberOf(argv.id, 'event');
      if (argv.raw && argv.json) throw new UsageError('--raw writes bytes and --json JSON: give one of them.');
      if (argv.variant !== undefined && !argv.raw)
        throw new UsageError('--variant chooses what --raw writes: give both.');
      const event = await withArchive(argv, (archive) => archive.event(id));
      if (event === null) throw notFound(`There is no event ${id}.`);
      if (argv.json) return printJson(eventDetailJson(event, argv));
      if (!argv.raw) return printEvent(event, argv);
      if (argv.variant === undefined) return printBytes(event.body);
      const variantId = numberOf(argv.variant, 'variant');
      const variant = event.contents.find((each) => each.id === variantId);
      if (variant === undefined) throw notFound(`Event ${id} has no variant ${variantId}.`);
      printBytes(variant.body);
    },
  );
}

function numberOf(text: string, what: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is no number of an ${what}.`, 'List them: tallyhook events list');
}

function notFound(message: string): TallyhookError {
  return new TallyhookError(message, { kind: 'not_found', hint: 'List them: tallyhook events list' });
}

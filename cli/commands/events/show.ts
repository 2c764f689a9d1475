import { TallyhookError } from '../../../src/domain/error.ts';
import type { Variant } from '../../../src/store/events.ts';
import { withArchive } from '../../context/archive.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { eventDetailJson, printEvent } from '../../show/event.ts';
import { printBytes, printJson } from '../../show/output.ts';
import { time } from '../../show/text.ts';

/** `tallyhook events show ID`: shows an event with its bodies, variants, the record it moved and its findings. */
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
      if (argv.raw && argv.json) throw new UsageError('--raw writes bytes and --json writes JSON: give one of them.');
      if (argv.variant !== undefined && !argv.raw)
        throw new UsageError('--variant chooses what --raw writes: give both.');
      const event = await withArchive(argv, (archive) => archive.event(id));
      if (event === null) throw notFound(`There is no event ${id}.`);
      if (argv.json) return printJson(eventDetailJson(event, argv));
      if (!argv.raw) return printEvent(event, argv);
      if (argv.variant === undefined) return printBytes(bodyOf(`event ${id}`, event));
      const variantId = numberOf(argv.variant, 'variant');
      const variant = event.contents.find((each) => each.id === variantId);
      if (variant === undefined) throw notFound(`Event ${id} has no variant ${variantId}.`);
      printBytes(bodyOf(`variant ${variantId} of event ${id}`, variant));
    },
  );
}

function bodyOf(what: string, { body, prunedAtMs }: Pick<Variant, 'body' | 'prunedAtMs'>): Uint8Array {
  if (prunedAtMs === null) return body;
  throw new TallyhookError(`The body of ${what} is gone: it was pruned ${time(prunedAtMs)}.`, {
    kind: 'not_found',
    hint: 'Its key and digests are kept; the body itself is in older backups only.',
  });
}

function numberOf(text: string, what: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is not a number of an ${what}.`, 'List them: tallyhook events list');
}

function notFound(message: string): TallyhookError {
  return new TallyhookError(message, { kind: 'not_found', hint: 'List them: tallyhook events list' });
}

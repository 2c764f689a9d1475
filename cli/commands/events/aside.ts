import { TallyhookError } from '../../../src/domain/error.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { type AsideDelivery, MOST_ASIDE } from '../../../src/store/aside.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { configFrom } from '../../context/config.ts';
import { credential } from '../../context/operations.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { differencesFound, print, printJson } from '../../show/output.ts';

/** `tallyhook events retry`: carries out again what was set aside. Exit code 3 when something of it is set aside again. */
export function addEventsRetryCommand(cli: Cli): Cli {
  return addAct(cli, {
    name: 'retry',
    summary: 'Carry out again deliveries that were set aside; exit code 3 when some cannot be carried out again',
    example: ['--all', 'After an upgrade'],
  });
}

/** `tallyhook events drop`: gives up what was set aside. */
export function addEventsDropCommand(cli: Cli): Cli {
  return addAct(cli, {
    name: 'drop',
    summary: 'Delete deliveries that were set aside, with their bytes',
    example: ['7 --yes', 'One of them'],
  });
}

interface Act {
  readonly name: 'retry' | 'drop';
  readonly summary: string;
  readonly example: readonly [words: string, text: string];
}

function addAct(cli: Cli, { name, summary, example: [words, text] }: Act): Cli {
  return cli.command(
    `${name} [ids..]`,
    summary,
    (command) =>
      command
        .positional('ids', {
          type: 'number',
          array: true,
          default: [] as number[],
          describe: 'As events list --aside shows them',
        })
        .option('all', { type: 'boolean', default: false, describe: 'All of them' })
        .option('as', PERSON_OPTIONS.as)
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; a drop needs it' })
        .example(`$0 events ${name} ${words}`, text),
    async (argv) => {
      const by = personOf(argv);
      if (argv.all === argv.ids.length > 0)
        throw new UsageError(`Which deliveries? events ${name} takes ids or --all.`, LIST);
      if (name === 'drop' && !argv.yes)
        throw new UsageError('Nothing was done: events drop deletes acknowledged deliveries, and needs --yes.', LIST);
      const config = await configFrom(argv);
      const store = storeOf(config);
      const chosen = await withArchiveOf(config, (archive) => (argv.all ? allOf(archive) : named(archive, argv.ids)));
      const operations = await store.operations({ credential: credential() });
      let changed = 0;
      try {
        for (let first = 0; first < chosen.length; first += MOST_ASIDE) {
          const ids = chosen.slice(first, first + MOST_ASIDE).map(({ id }) => id);
          changed += (await operations.aside[name]({ ids, by })).ids.length;
        }
      } finally {
        await operations.close();
      }
      if (name === 'drop') {
        if (argv.json) printJson({ changed });
        else print(`${changed} ${changed === 1 ? 'delivery is' : 'deliveries are'} dropped`);
        return;
      }
      // The first process that opens the database to write carries out what waits.
      if (changed > 0) await (await store.operations({ credential: credential() })).close();
      const left = await withArchiveOf(config, async (archive) => (await allOf(archive)).filter(isOneOf(chosen)));
      const again = left.filter(({ retryAtMs }) => retryAtMs === null);
      const [all, waiting, carriedOut] = [chosen.length, left.length - again.length, chosen.length - left.length];
      if (argv.json) printJson({ carriedOut, waiting, again: again.map(({ id, reason }) => ({ id, reason })) });
      else {
        print(`${carriedOut} of ${all} ${all === 1 ? 'delivery is' : 'deliveries are'} carried out`);
        if (waiting > 0) print(`${waiting} wait for serve: it carries them out at its next start`);
        for (const { id, reason } of again) print(`set aside again as ${id}: ${reason}`);
      }
      if (again.length > 0) differencesFound();
    },
  );
}

const LIST = 'See: tallyhook events list --aside';

type Known = Omit<AsideDelivery, 'bytes'>;

async function allOf(archive: Archive): Promise<Known[]> {
  const found: Known[] = [];
  for (let afterId: number | undefined; ; ) {
    const page = { order: 'oldest', limit: MOST_ASIDE, ...(afterId !== undefined && { afterId }) } as const;
    const some = await archive.aside(page);
    for (const { bytes: _, ...one } of some) found.push(one);
    afterId = some.at(-1)?.id;
    if (some.length < MOST_ASIDE) return found;
  }
}

async function named(archive: Archive, ids: readonly number[]): Promise<Known[]> {
  const all = new Map((await allOf(archive)).map((one) => [one.id, one]));
  return [...new Set(ids)].map((id) => {
    const one = all.get(id);
    if (one !== undefined) return one;
    throw new TallyhookError(`No delivery ${id} is set aside; nothing was done.`, { kind: 'failed', hint: LIST });
  });
}

/** The same delivery, set aside once more, has another id. */
function isOneOf(chosen: readonly Known[]): (one: Known) => boolean {
  const nameOf = ({ seq, place }: Known) => `${seq} ${place ?? ''}`;
  const names = new Set(chosen.map(nameOf));
  const entries = new Set(chosen.filter(({ place }) => place === null).map(({ seq }) => seq));
  return (one) => names.has(nameOf(one)) || entries.has(one.seq);
}

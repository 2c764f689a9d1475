import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { type Cursor, type Stretch, walk } from '../../../src/store/cursor.ts';
import type { EventContents, EventFilter, Variant } from '../../../src/store/events.ts';
import { withArchive } from '../../context/archive.ts';
import { expectFew, type Revealing, type RevealingArguments } from '../../context/revealing.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import { EVENT_FILTERS, eventFilter } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { REASON_OPTION } from '../../options/person.ts';
import { ANY_ROW, requireStatuses } from '../../options/statuses.ts';
import { calendarOf } from '../../options/when.ts';
import { csvLines } from '../../show/csv.ts';
import { eventJson } from '../../show/event.ts';
import { answeredNo, note, printJsonLine, writeText } from '../../show/output.ts';
import { progressBar } from '../../show/progress.ts';
import { isoTime } from '../../show/text.ts';
import { BodyFolder, bodyFile } from './bodies.ts';

/** Events in memory at a time: a body may have 1 MiB. */
const AT_ONCE = 50;

/** `tallyhook events export`: writes events with their exact bytes, for other programs. */
export function addEventsExportCommand(cli: Cli): Cli {
  return cli.command(
    'export',
    'Write events with their bodies, unmasked, to stdout, the oldest first',
    (command) =>
      command
        .options({ ...EVENT_FILTERS, ...REASON_OPTION })
        .option('format', { choices: ['ndjson', 'csv'] as const, default: 'ndjson' as const, describe: 'Of stdout' })
        .option('bodies', {
          type: 'string',
          requiresArg: true,
          describe: 'Folder for the bodies, one file each; made if new',
        })
        .example('$0 events export > events.ndjson', 'All events, bodies in base64')
        .example('$0 events export --format csv --bodies bodies --since 2026-11-01 > events.csv', 'For a spreadsheet'),
    async (argv) => {
      const { bodies, format } = argv;
      if (argv.json && format === 'csv') throw new UsageError('--json writes NDJSON: leave it out, or --format csv.');
      const files = bodies === undefined ? null : new BodyFolder(bodies);
      const stop = stopSignal('the export ends after the current events; what is written is whole');
      // On a terminal the lines themselves show how far it is. With filters the total is unknown.
      const progress = progressBar(process.stdout.isTTY === true ? 0 : null, 'exported');
      let count = 0;
      await withArchive(argv, async (archive, config) => {
        const filter = eventFilter(argv, calendarOf(config));
        await requireStatuses(argv.status, RECORD_KINDS, (status) => archive.events({ statuses: [status] }, ANY_ROW));
        if (format === 'csv') await writeText(csvLines([Object.keys(CSV_COLUMNS)]));
        // Events that arrive during the export are left out.
        const until = await archive.eventEnd();
        const { revealing } = argv as typeof argv & RevealingArguments;
        const read = (stretch: Stretch) => archive.nextBodies(filter, stretch);
        let after: Cursor | null = null;
        for await (const place of entered(revealing, archive, { filter, until })) {
          for await (const { events } of walk(read, { after, until: place, limit: AT_ONCE })) {
            for (const event of events) files?.write(event);
            if (format === 'csv') await writeText(csvLines(events.map(csvRow)));
            else for (const event of events) await printJsonLine(exportJson(event, bodies === undefined));
            count += events.length;
            progress.step(count);
            if (stop.signal.aborted) return;
          }
          after = place;
        }
      }).finally(() => {
        progress.end();
        stop.dispose();
      });
      note(`${count} event${count === 1 ? '' : 's'} exported${stop.signal.aborted ? ', and more are left' : ''}.`);
      if (stop.signal.aborted) answeredNo();
    },
  );
}

/** Events that one entry of the audit names, as many as of any list. */
const ENTERED_AT_ONCE = 1_000;

/**
 * The places up to which events may be shown, each once they are entered: all of them at once where a second person may be needed.
 *
 * @throws StoreError when they are more than a request holds
 */
async function* entered(
  revealing: Revealing | undefined,
  archive: Archive,
  { filter, until }: { readonly filter: EventFilter; readonly until: Cursor },
): AsyncGenerator<Cursor> {
  if (revealing === undefined) return yield until;
  const all: string[] = [];
  const read = (stretch: Stretch) => archive.nextEvents(filter, stretch);
  for await (const { events, place } of walk(read, { after: null, until, limit: ENTERED_AT_ONCE })) {
    const keys = events.map(({ id }) => `event:${id}`);
    if (revealing.isBounded) {
      all.push(...keys);
      expectFew(all.length);
    } else {
      await revealing.rows(keys);
      yield place;
    }
  }
  if (!revealing.isBounded) return;
  await revealing.rows(all);
  yield until;
}

function exportJson(event: EventContents, inline: boolean) {
  return {
    ...eventJson(event),
    bodyDigest: event.bodyDigest,
    ...(inline ? { bodyBase64: base64(event) } : { bodyFile: bodyFile(event) }),
    contents: event.contents.map(({ body, receivedAtMs, lastReceivedAtMs, prunedAtMs, ...variant }) => ({
      ...variant,
      receivedAt: isoTime(receivedAtMs),
      lastReceivedAt: isoTime(lastReceivedAtMs),
      prunedAt: isoTime(prunedAtMs),
      ...(inline
        ? { bodyBase64: base64({ body, prunedAtMs }) }
        : { bodyFile: bodyFile(event, { id: variant.id, prunedAtMs }) }),
    })),
  };
}

const CSV_COLUMNS: Record<string, (event: EventContents) => string | number | null> = {
  id: ({ id }) => id,
  environment: ({ environment }) => environment,
  event: ({ event }) => event,
  reference: ({ reference }) => reference,
  updated_at: ({ updatedAt }) => updatedAt,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  quarantine: ({ quarantine }) => quarantine,
  status: ({ status }) => status,
  key_id: ({ keyId }) => keyId,
  merchant_signature: ({ merchantSignature }) => merchantSignature,
  sent_at: ({ sentAt }) => sentAt,
  received_at: ({ receivedAtMs }) => isoTime(receivedAtMs),
  last_received_at: ({ lastReceivedAtMs }) => isoTime(lastReceivedAtMs),
  deliveries: ({ deliveries }) => deliveries,
  variants: ({ variants }) => variants,
  body_sha256: ({ bodyDigest }) => bodyDigest,
  pruned_at: ({ prunedAtMs }) => isoTime(prunedAtMs),
};

function csvRow(event: EventContents) {
  return Object.values(CSV_COLUMNS).map((value) => value(event));
}

function base64({ body, prunedAtMs }: Pick<Variant, 'body' | 'prunedAtMs'>): string | null {
  return prunedAtMs === null ? Buffer.from(body).toString('base64') : null;
}

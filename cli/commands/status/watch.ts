import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { onStopSignal } from '../../context/stop-signal.ts';
import { answeredNo, differencesFound, print, printJsonLine, redraw } from '../../show/output.ts';
import { statusJson } from './json.ts';
import { lookNow, type StatusOrder } from './look-now.ts';
import { screenOf, statusLines } from './screen.ts';

interface Watch {
  readonly config: Config;
  readonly order: StatusOrder;
  readonly everyMs: number;
  readonly json: boolean;
}

/**
 * Looks again and again until a signal: on a terminal each look replaces the one before, elsewhere each is a block of its
 * own. A look that fails is shown, and the watch goes on: the database may be away for the time of a restore. The exit code
 * is that of the last look.
 */
export async function watch({ config, order, everyMs, json }: Watch): Promise<void> {
  const stop = new AbortController();
  const stopListening = onStopSignal(() => stop.abort());
  try {
    for (let first = true; !stop.signal.aborted; first = false) {
      const lines = await lookOnce(config, order, json);
      if (lines !== null && process.stdout.isTTY) redraw(lines);
      else if (lines !== null) for (const line of first ? lines : ['', ...lines]) print(line);
      await wait(everyMs, null, { signal: stop.signal }).catch(() => {}); // a signal ends the wait
    }
  } finally {
    stopListening();
  }
}

/** The lines to show; null when they are printed as JSON already. Sets the exit code of this look. */
async function lookOnce(config: Config, order: StatusOrder, json: boolean): Promise<string[] | null> {
  try {
    const seen = await lookNow(config, order);
    process.exitCode = 0;
    if (seen.problems.length > 0) differencesFound();
    if (!json) return statusLines(seen, config, screenOf(process.stdout));
    await printJsonLine(statusJson(seen, config));
    return null;
  } catch (error) {
    if (!(error instanceof TallyhookError)) throw error;
    answeredNo();
    if (!json) return [`tallyhook: ${error.message}`, error.hint ?? ''];
    await printJsonLine({ error: error.message, hint: error.hint ?? null });
    return null;
  }
}

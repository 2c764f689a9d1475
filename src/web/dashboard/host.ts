import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import { plain } from '../../config/plain.ts';
import type { ServeReport } from '../../confirm/serve-report.ts';
import { KeptThread, startThread } from '../../package-root.ts';
import type { OperationsChannel } from '../../store/operations-channel.ts';
import { notListening, notOpened } from './listen.ts';
import type { DashboardData, FromDashboard, ToDashboard } from './messages.ts';

/** The dashboard of this process. */
export interface Dashboard {
  /** Where it listens, of the first start. */
  readonly url: string;
  /** What `serve` knows of itself changed. */
  report(report: ServeReport): void;
  /** Answers what was asked within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface DashboardHostParts {
  /** Opens a channel to the operations, one per started thread. */
  readonly connectOperations: () => OperationsChannel;
  readonly log: Logger;
  /** What the process of an `aside` route runs. */
  readonly workFile: URL;
  /** What `serve` knows of itself at the start; null: this process receives nothing. */
  readonly report: ServeReport | null;
}

/** Heap limits of the thread, in MiB: a page is 150 kB, and what takes more is computed in a process of its own. */
const YOUNG_MB = 8;
const OLD_MB = 128;

/**
 * Starts the dashboard in a thread of its own, and resolves once it listens. A thread that ends is started again.
 *
 * @throws TallyhookError when it cannot be opened, or cannot listen
 */
export async function startDashboard(config: Config, parts: DashboardHostParts): Promise<Dashboard> {
  const { log } = parts;
  const listening = Promise.withResolvers<string>();
  let { report } = parts;
  const start = (): Worker => {
    const port = parts.connectOperations();
    const started = startThread('web/dashboard/thread', {
      workerData: { config: plain(config), port, report, workFile: parts.workFile.href } satisfies DashboardData,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
    // One that never listened would fail again; one that did is started again.
    started.once('error', (error) => listening.reject(notOpened(error)));
    return started;
  };
  const thread = new KeptThread<ToDashboard, FromDashboard>({
    ...{ name: 'dashboard thread', start, log },
    receive(message) {
      if (message.type === 'listening') listening.resolve(message.url);
      else if (message.type === 'not_listening') listening.reject(notListening(config, message.code));
      else log.error({ doing: message.doing, reason: message.message }, 'a page of the dashboard failed');
    },
  });
  const stop = (graceMs: number) => {
    return thread.stop({ type: 'stop', graceMs }, graceMs, 'the dashboard did not end in time');
  };
  try {
    const url = await listening.promise;
    return {
      url,
      report(latest) {
        report = latest;
        thread.post({ type: 'report', report: latest });
      },
      stop,
    };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

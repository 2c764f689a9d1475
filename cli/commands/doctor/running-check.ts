import type { Config } from '../../../src/config/load.ts';
import { presentOutage } from '../../../src/confirm/judgement.ts';
import { look } from '../../../src/confirm/look.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { problemText } from '../../../src/lists/problem-text.ts';
import { type Examined, failed, ok, skipped, warning } from '../../../src/store/examination.ts';
import type { Store } from '../../../src/store/store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { askServe, serveReport } from '../../context/serve-answer.ts';
import { connectionFault } from './connection-fault.ts';

const START_IT =
  'Start it (tallyhook serve), under a service manager that restarts it. Until then every webhook is lost.';

/** Asks the admin listener of this configuration whether `serve` runs, is ready, and keeps what arrives. */
export async function checkRunning(config: Config): Promise<Examined> {
  const name = 'serve';
  const answer = await askServe(config);
  switch (answer.is) {
    case 'unknown':
      return skipped(name, 'admin.port is 0, any free one, so it cannot be asked');
    case 'nothing':
      return failed(name, `is not running: nothing listens there, ${answer.url}`, START_IT);
    case 'other_program': {
      const hint = 'Stop what listens on admin.port, or change it; then start serve.';
      return failed(name, `is not running: another program answers ${answer.url} (${answer.status})`, hint);
    }
    case 'other_serve': {
      const seen = `is not running with this database: process ${answer.pid} at ${answer.url} has another one`;
      return failed(name, seen, 'Is this a copy, or `database` wrong? To start serve here, change admin.port.');
    }
    case 'silent': {
      const { what } = connectionFault(answer.error, START_IT);
      return warning(
        name,
        `${answer.url} did not answer: ${what}`,
        'Is serve overloaded, or admin.host wrong? See its log.',
      );
    }
    case 'serve': {
      const { url, reason, report } = answer;
      const outage = presentOutage({ serve: report }, systemClock.nowMs());
      if (outage !== null) {
        const { text, next } = problemText({ code: 'not_kept', outage }, { zone: config.timeZone });
        return failed(name, `runs (${url}). ${text}`, next);
      }
      if (reason !== null) return failed(name, `runs and is not ready: ${reason}`, 'See its log.');
      return ok(name, `runs and is ready (${url})`);
    }
  }
}

/** Checks whether genuine deliveries are refused, wait or are set aside, as `status` judges it; returns nothing while all is well. */
export async function checkDeliveries(config: Config, store: Store, nowMs: number): Promise<Examined[]> {
  const serve = await serveReport(config);
  try {
    const archive = await store.archive();
    const { problems } = await look(archive, { nowMs, config, serve, cluster: null }).finally(() => archive.close());
    return problems
      .filter(({ code }) => code === 'deliveries_refused' || code === 'aside' || code === 'behind')
      .map((problem) => {
        const { text, next } = problemText(problem, { zone: config.timeZone });
        return failed('deliveries', text, next);
      });
  } catch (error) {
    // `examine` reports what is wrong with the database, with its path.
    if (error instanceof TallyhookError) return [];
    throw error;
  }
}

import type { Config } from '../../config/load.ts';
import { type Look, look } from '../../confirm/look.ts';
import type { ServeReport } from '../../confirm/serve-report.ts';
import type { Archive } from '../../store/archive.ts';
import type { Clock } from '../../time/clock.ts';
import { REGIONS, type Region } from './page.ts';

/** How often is looked while a page listens; a look is shown again for this long. */
const EVERY_MS = 5_000;
/** Pages that listen at a time; a browser opens one for each window. */
const MOST_LISTENERS = 500;

export interface LookingParts {
  readonly archive: Archive;
  readonly config: Config;
  readonly clock: Clock;
  /** What the `serve` beside this dashboard reports; null: it runs in another process. */
  readonly serve: () => ServeReport | null;
  readonly onFault: (error: unknown) => void;
}

/** How everything stands, looked at once for all sessions, and which regions of pages became old by it. */
export class Looking {
  readonly #parts: LookingParts;
  readonly #listeners = new Set<(old: readonly Region[]) => void>();
  #latest: { readonly look: Look; readonly marks: Marks; readonly atMs: number } | null = null;
  #underway: Promise<Look> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: LookingParts) {
    this.#parts = parts;
  }

  /** A look that is seconds old at most. */
  look(): Promise<Look> {
    const nowMs = this.#parts.clock.nowMs();
    if (this.#latest !== null && nowMs - this.#latest.atMs < EVERY_MS && nowMs >= this.#latest.atMs)
      return Promise.resolve(this.#latest.look);
    this.#underway ??= this.#lookNow().finally(() => {
      this.#underway = null;
    });
    return this.#underway;
  }

  /** Calls `tell` with the regions that became old, until the returned function is called; null: too many listen. */
  listen(tell: (old: readonly Region[]) => void): (() => void) | null {
    if (this.#listeners.size >= MOST_LISTENERS) return null;
    this.#listeners.add(tell);
    this.#timer ??= setInterval(() => this.look().catch(this.#parts.onFault), EVERY_MS);
    return () => {
      this.#listeners.delete(tell);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #lookNow(): Promise<Look> {
    const { archive, config, clock, serve } = this.#parts;
    const nowMs = clock.nowMs();
    // The log of several machines is asked by the alerts: each open page would be a connection to it.
    const found = await look(archive, { nowMs, config, serve: serve(), cluster: null });
    const head = await archive.auditHead();
    const marks = marksOf(found, head);
    const before = this.#latest?.marks;
    this.#latest = { look: found, marks, atMs: nowMs };
    if (before !== undefined) {
      const old = REGIONS.filter((region) => marks[region] !== before[region]);
      if (old.length > 0) for (const tell of this.#listeners) tell(old);
    }
    return found;
  }
}

type Marks = Readonly<Record<Region, string>>;

/** What of a look differs once a region changed. */
function marksOf({ system, targets }: Look, head: unknown): Marks {
  const { arrivals, findings, due, jobs, alerts, refused } = system;
  const mark = (...facts: readonly unknown[]) =>
    JSON.stringify(facts, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
  const acts = mark(head);
  return {
    events: mark(
      arrivals.map(({ deliveries }) => deliveries),
      refused.count,
    ),
    records: mark(
      arrivals.map(({ deliveries }) => deliveries),
      due,
      jobs.map(({ doneAtMs }) => doneAtMs),
    ),
    findings: mark(findings),
    forwarding: mark(targets),
    jobs: mark(jobs),
    alerts: mark(alerts),
    exceptions: acts,
    periods: acts,
  };
}

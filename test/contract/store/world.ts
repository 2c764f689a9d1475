import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckRules, STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import type { StoreError } from '../../../src/store/error.ts';
import type { CarriedDelivery, Delivery, InboxOptions, Kept } from '../../../src/store/inbox.ts';
import type { StoreOptions } from '../../../src/store/library.ts';
import type { Store } from '../../../src/store/store.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import type { Engine, Place } from './engines.ts';
import { Handle } from './handle.ts';

/** No jitter, so that due times are exact. */
export const EXACT: CheckRules = { ...STANDARD_CHECK_RULES, jitter: 0 };

/** One sentence about every engine, and its proof, which rejects where the sentence is false. */
export interface Guarantee {
  readonly guarantee: string;
  /** Options of the store, where the guarantee is about them. */
  readonly options?: StoreOptions;
  /** It puts another file in the place of the database: what was written before is not in it. */
  readonly replaces?: true;
  /** Its clock goes back, or it receives at other times than its clock says: where a log gives the time, neither can be. */
  readonly ownTime?: true;
  /** It restores a backup, which a machine that shares its log refuses. */
  readonly restores?: true;
  readonly prove: (world: World) => Promise<void>;
}

/** A cluster cannot keep it. */
export const isOfOneMachine = ({ ownTime, restores }: Guarantee) => ownTime === true || restores === true;

/** A fresh database of one engine, two handles on it, and a clock that stands still until a guarantee moves it. */
export class World {
  readonly clock = new FixedClock();
  /** A folder for backups. */
  readonly folder: string;
  readonly #engine: Engine;
  readonly #place: Place;
  readonly #options: StoreOptions;
  readonly #handles: Handle[] = [];
  readonly #faults: StoreError[] = [];
  /** What this process carried out, in order. */
  readonly #carried: CarriedDelivery[] = [];
  #news = Promise.withResolvers<void>();
  /** Two processes that use the database at the same time. */
  readonly here = this.another();
  readonly there = this.another();

  private constructor(engine: Engine, place: Place, folder: string, options: StoreOptions) {
    this.#engine = engine;
    this.#place = place;
    this.#options = options;
    this.folder = folder;
  }

  /**
   * Proves one guarantee in a world of its own. Rejects when it is false, or when the store could not go on. What it writes is carried out again
   * by another machine: from a shared log where it has one, and else from a record.
   */
  static async prove(guarantee: Guarantee, engine: Engine): Promise<void> {
    const { prove, options = {}, replaces } = guarantee;
    const recorded = !replaces && (engine.hasSharedLog === true || isOfOneMachine(guarantee));
    const [place, folder] = await Promise.all([
      engine.make({ recorded }),
      mkdtemp(join(tmpdir(), 'tallyhook-backups-')),
    ]);
    const world = new World(engine, place, folder, options);
    try {
      await prove(world).catch((error: unknown) => {
        throw world.#faults.length === 0 ? error : new AggregateError([error, ...world.#faults], String(error));
      });
      const [fault] = world.#faults;
      if (fault !== undefined) throw fault;
      await world.#close();
      const again = { zone: 'UTC', checkRules: EXACT, ...options };
      const differences = recorded ? await place.differencesAgain(again) : [];
      if (differences.length > 0)
        throw new Error(`Carried out again, on another machine, it writes other rows:\n${differences.join('\n')}`);
    } finally {
      await world.#close();
      await Promise.all([place.remove(), rm(folder, { recursive: true, force: true })]);
    }
  }

  async #close(): Promise<void> {
    for (const handle of this.#handles) await handle.close();
  }

  /** One more handle on the database. It is closed at the end of the guarantee. */
  another(inbox: Partial<InboxOptions> = {}): Handle {
    const handle = new Handle(() => this.store(), {
      limit: 100_000,
      onFatal: (error) => this.#faults.push(error),
      onFault: (_work, error) => void (error !== null && this.#faults.push(error)),
      onEach: (deliveries) => void this.#carried.push(...deliveries),
      onCarriedOut: () => {
        this.#news.resolve();
        this.#news = Promise.withResolvers();
      },
      ...inbox,
    });
    this.#handles.push(handle);
    return handle;
  }

  /** The store at `location`; without one, that of this world. */
  store(location = this.#place.location): Store {
    const options = { zone: 'UTC', checkRules: EXACT, clock: this.clock, ...this.#options };
    return this.#engine.open(location, options);
  }

  /** A location beside that of this world, where nothing is yet. It is removed with this world. */
  get elsewhere(): string {
    return `${this.#place.location}-elsewhere`;
  }

  /** Keeps deliveries, one after the other, waits until they are carried out, and returns what each became. */
  async receive(...deliveries: readonly Delivery[]): Promise<Kept[]> {
    const inbox = await this.here.inbox();
    await this.carriedOut();
    const before = this.#carried.length;
    for (const delivery of deliveries) await inbox.keep(delivery);
    while (this.#carried.length < before + deliveries.length) await this.#news.promise;
    return this.#carried.slice(before).map(({ kept }) => kept);
  }

  /** What was carried out of this delivery, in order. */
  became(delivery: Delivery): Kept[] {
    const isIt = ({ delivery: { body } }: CarriedDelivery) => Buffer.from(body).equals(delivery.body);
    return this.#carried.filter(isIt).map(({ kept }) => kept);
  }

  /** Resolves when everything that is kept is carried out. */
  async carriedOut(): Promise<void> {
    const archive = await this.here.archive();
    for (;;) {
      const news = this.#news.promise; // taken first, so that none is missed
      if ((await archive.waiting()).deliveries === 0) return;
      await news;
    }
  }
}

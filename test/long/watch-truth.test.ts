import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/wait.ts';
import {
  ANOTHER_KEY,
  NEARLY_FULL,
  NO_MORE_FILES,
  OUTAGE_OVER_MS,
  problemsIn,
  SERVICE_DOWN,
  WatchedServe,
} from '../support/watched-serve.ts';

// What watch-truth-phases.test.ts says of one fault at a time, for two at a time and for longer: `status` says what is true and
// nothing else, all the while; afterwards the count of what was refused is that of the sender.

const seeds = (process.env.TALLYHOOK_WATCH_SEEDS ?? '1,2,3').split(',').map(Number);
/** How long each pair of faults lasts. */
const SECONDS = Number(process.env.TALLYHOOK_WATCH_SECONDS ?? 60);
/** Room for what an hour keeps; below 256 MiB free the disk would be told. */
const DISK_MIB = 700;
/** Of the pairs, in an order by the seed. */
const PAIRS = Number(process.env.TALLYHOOK_WATCH_PAIRS ?? 100);

const FAULTS = ['nearly full', 'no files', 'full', 'lock', 'key', 'service'] as const;
type Fault = (typeof FAULTS)[number];

const BREAK: Readonly<Record<Fault, (watched: WatchedServe) => unknown>> = {
  'nearly full': (watched) => watched.fill(100 * 2 ** 20),
  'no files': (watched) => watched.useUpFiles(),
  full: (watched) => watched.fill(),
  lock: (watched) => watched.holdTheLock(),
  key: (watched) => watched.changeKey(),
  service: (watched) => watched.killService(),
};

const DISK_IS_FULL = /^- The disk is full: .* free of \d+ MB; deliveries get 503, or soon will$/;
/** A full disk keeps a small delivery now and then. */
const REFUSED =
  /^- Deliveries (are refused now|were refused until just now): (the disk (is|was) full|another program (holds|held) the lock of the database or of its log); \d+ since /;
const SENTENCE: Readonly<Record<Exclude<Fault, 'full' | 'lock'>, RegExp>> = {
  'no files': NO_MORE_FILES,
  'nearly full': NEARLY_FULL,
  key: ANOTHER_KEY,
  service: SERVICE_DOWN,
};

/** Null where the second cannot begin, or takes the place of the first. */
function sentencesOf(first: Fault, second: Fault): RegExp[] | null {
  const pair = [first, second];
  if (second === 'service' && (first === 'full' || first === 'lock')) return null; // its sweep could not be written
  if (first === 'full' && second === 'nearly full') return null;
  // A delivery with another key never gets as far as the disk.
  const isRefused = pair.some((one) => one === 'full' || one === 'lock') && first !== 'key';
  if (isRefused) return pair.includes('service') ? [REFUSED, SERVICE_DOWN] : [REFUSED];
  const disk = pair.includes('full')
    ? [DISK_IS_FULL]
    : (['no files', 'nearly full'] as const).filter((one) => pair.includes(one)).map((one) => SENTENCE[one]);
  const others = (['key', 'service'] as const).filter((one) => pair.includes(one)).map((one) => SENTENCE[one]);
  return [...disk.slice(0, 1), ...others]; // without files comes before nearly full
}

test.each(seeds)('two faults at a time, seed %i', { tags: ['mounts'] }, async (seed) => {
  const random = seededRandom(seed);
  const perSecond = 100 + Math.floor(random() * 200);
  const watched = await WatchedServe.start(perSecond, DISK_MIB);
  onTestFinished(() => watched.close());
  const { sender, clock } = watched;
  const pairs = FAULTS.flatMap((first) =>
    FAULTS.filter((one) => one !== first).map((second) => [first, second] as const),
  );
  const order = pairs.map((pair) => ({ pair, at: random() })).sort((one, other) => one.at - other.at);
  let looks = 0;
  for (const [first, second] of order.slice(0, PAIRS).map(({ pair }) => pair)) {
    const sentences = sentencesOf(first, second);
    if (sentences === null) continue;
    const during = `${first}, then ${second}`;
    // The gaps of the jumps of the clock would count as usual for a while.
    watched.sql('UPDATE arrivals SET gap_sum = 1000, gap_squares = 5000');
    const [since, noticed] = [sender.answers.length, watched.chat.caught.length];
    await BREAK[first](watched);
    if (first === 'full' || first === 'lock') await sender.more(5, 503);
    if (first === 'key') {
      await sender.more(20, 401);
      await until(async () => (await problems(watched)).length > 0, `${during}: the key is told`);
    }
    await BREAK[second](watched);
    const expected = sentences.map((one) => expect.stringMatching(one));
    const isTold = async () => {
      const told = await problems(watched);
      return told.length === sentences.length && sentences.every((one, at) => one.test(told[at] ?? ''));
    };
    await until(isTold, `${during}: status says ${sentences.join(' and ')}`, 30_000);
    const untilMs = performance.now() + SECONDS * 1_000 * (0.5 + random());
    while (performance.now() < untilMs) {
      expect(await problems(watched), during).toEqual(expected);
      looks++;
      await new Promise((resolve) => setTimeout(resolve, 1_000 * random()));
    }
    clock.stop();
    await watched.mend();
    if (first === 'service' || second === 'service') await watched.run('sweep', '--limit', '3');
    const refused = sender.refused(since);
    clock.jump(OUTAGE_OVER_MS);
    if (refused.length > 0) {
      await watched.noticed(/recovered: not kept/, noticed, () => watched.makeDue());
      await watched.expectFacts('not_kept', refused);
    }
    await watched.expectTold({ status: [], health: 0 });
  }
  const { total } = JSON.parse((await watched.run('events', 'list', '--limit', '1', '--json')).stdout);
  const [kept, unkept] = [sender.count(200), sender.count(503)];
  console.info(JSON.stringify({ seed, perSecond, looks, kept, unkept, refused: sender.count(401), events: total }));
  // One that got 503 may be kept all the same.
  expect(total).toBeGreaterThanOrEqual(kept);
  expect(total).toBeLessThanOrEqual(sender.answers.length + LANES);
});

/** Under way while the events were counted. */
const LANES = 20;

const problems = async (watched: WatchedServe) => problemsIn((await watched.run('status')).stdout);

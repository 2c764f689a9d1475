import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Delivery } from '../../src/store/inbox.ts';
import { waitingRead } from '../../src/store/sqlite/read/waiting.ts';
import { examine } from '../../src/store/sqlite/upkeep/examine.ts';
import { refund } from './deliveries.ts';
import { LogWorld } from './log-world.ts';
import { seededRandom } from './random.ts';

/** When a bit of the log changes. */
const MOMENTS = ['between two appends', 'before entries are deleted', 'while it is stopped'] as const;
type Moment = (typeof MOMENTS)[number];

export interface LogFlips {
  /** Every delivery is in the books, as it was acknowledged. */
  readonly harmless: number;
  /** Entries were set aside with their bytes and the reason; the others are in the books. */
  readonly setAside: number;
  /** Appending, carrying out, the start or `doctor` said that the log is damaged or lacks entries, or that deliveries wait. */
  readonly reported: number;
  /** What was neither in the books nor said, or other than it was acknowledged. */
  readonly silent: readonly string[];
}

/** Flips one random bit of a log after the other, each in a log of its own. */
export function flipLogBits(flips: number, seed: number): LogFlips {
  const random = seededRandom(seed);
  let [harmless, setAside, reported] = [0, 0, 0];
  const silent: string[] = [];
  for (let flip = 0; flip < flips; flip++) {
    const moment = MOMENTS[flip % MOMENTS.length] as Moment;
    const { where, said, missing, changed, aside } = flipOne(moment, random, flip % 2 === 0);
    if (changed > 0 || (missing > 0 && !said && aside === 0))
      silent.push(`${moment}, ${where}: ${missing} missing, ${changed} changed`);
    else if (missing === 0) harmless++;
    else if (aside > 0) setAside++;
    else reported++;
  }
  return { harmless, setAside, reported, silent };
}

function flipOne(moment: Moment, random: () => number, isNear: boolean) {
  const world = new LogWorld();
  const acked: Delivery[] = [];
  let number = 0;
  const append = (entries: number) => {
    const groups = Array.from({ length: entries }, () => [next(), next()]);
    world.append(...groups);
    acked.push(...groups.flat());
  };
  const next = () => refund(`R${++number}`, 'pending', { data: { note: 'x'.repeat(40) } });
  let [where, said] = ['', false];
  const flip = () => {
    const files = [world.log.name, ...(moment === 'while it is stopped' ? [] : [`${world.log.name}-wal`])];
    where = flipBit(random, files, isNear);
  };
  try {
    append(4);
    world.all();
    append(3);
    if (moment === 'between two appends') flip();
    append(1);
    if (moment === 'while it is stopped') {
      world.close();
      flip();
      world.open();
    }
    if (moment === 'before entries are deleted') flip();
    while (world.forget());
    append(1);
    world.all();
    while (world.forget());
    append(1);
    world.all();
    world.close();
    world.open();
  } catch {
    said = true;
  }
  said ||= waitingRead(world.books)().deliveries > 0;
  said ||= examine(world.path, { deep: false }).some(({ name, status }) => /\blog$/.test(name) && status === 'failed');
  const kept = new Set(
    world.rows<{ body: Buffer }>('SELECT body FROM events').map(({ body }) => body.toString('latin1')),
  );
  const bodies = new Set(acked.map(({ body }) => Buffer.from(body).toString('latin1')));
  const aside = world.rows<{ n: number }>('SELECT count(*) AS n FROM aside')[0]?.n ?? 0;
  try {
    world.remove();
  } catch {
    // a damaged log cannot be closed in order
  }
  return { where, said, aside, missing: bodies.difference(kept).size, changed: kept.difference(bodies).size };
}

/** Bytes before and behind a word of a delivery in which its entry, with its head and digest, lies. */
const NEAR = 300;
const WORD = 'refund_reference';

interface Offsets {
  readonly file: string;
  readonly from: number;
  readonly length: number;
}

/** Flips a bit of one of the files, every second one near a delivery; says where. */
function flipBit(random: () => number, files: readonly string[], isNear: boolean): string {
  const there = files.filter((file) => existsSync(file)).map((file) => ({ file, bytes: readFileSync(file) }));
  const whole = there.flatMap(({ file, bytes }) => ({ file, from: 0, to: bytes.length }));
  const near = there.flatMap(({ file, bytes }) =>
    [...bytes.toString('latin1').matchAll(new RegExp(WORD, 'g'))].map(({ index }) => ({
      file,
      from: Math.max(0, index - NEAR),
      to: Math.min(bytes.length, index + NEAR),
    })),
  );
  const places = isNear && near.length > 0 ? near : whole;
  const offsets = places.map(({ file, from, to }) => ({ file, from, length: to - from }));
  let at = Math.floor(random() * offsets.reduce((sum, { length }) => sum + length, 0));
  while (at >= (offsets[0] as Offsets).length) at -= (offsets.shift() as Offsets).length;
  const place = offsets[0] as Offsets;
  const [position, bit] = [place.from + at, Math.floor(random() * 8)];
  const byte = there.find(({ file }) => file === place.file)?.bytes[position] ?? 0;
  const descriptor = openSync(place.file, 'r+');
  writeSync(descriptor, Buffer.of(byte ^ (1 << bit)), 0, 1, position);
  closeSync(descriptor);
  return `${place.file.split('/').at(-1)} byte ${position} bit ${bit}`;
}

import { isSettled, type RecordKind } from './lifecycle.ts';
import { type Backed, compareTexts, type Observation, sameOutcome } from './observation.ts';
import type { ServiceTime, Times } from './service-times.ts';

/** Times of the beginning of a record: they never change, so every observation about the record may give them. */
const BEGINNINGS: ReadonlySet<string> = new Set(['createdAt', 'requestedAt']);

export interface TimeSources {
  /** Every status with its contents, in the order in which they are asked; the winning observation first. */
  readonly all: readonly Backed[];
  /** The status by the service; null without an answer. */
  readonly confirmed: Backed | null;
}

/**
 * Returns the times of a record. Those of its outcome come from observations of one status: the settled one that the service
 * confirmed, else that of the winning observation, else what the service confirmed; the first of them that gives a readable time.
 * The time of the beginning is taken from any observation. Contents of one source that disagree give none, so that the order of
 * arrival decides nothing.
 */
export function timesOf(kind: RecordKind, sources: TimeSources, all: readonly Observation[]): Times {
  const [only, another] = all;
  if (sources.all.length > 0 && only !== undefined && another === undefined) return only.stated.times;
  const names = [...new Set(all.flatMap(({ stated }) => Object.keys(stated.times)))];
  const outcomes = outcomesOf(kind, sources);
  const isDated = (alike: readonly Backed[]) =>
    names.some((name) => !BEGINNINGS.has(name) && timeIn(alike, name, ({ utc }) => utc !== null) !== null);
  const outcome = outcomes.find(isDated) ?? outcomes.find(({ length }) => length > 0) ?? [];
  const times: Record<string, ServiceTime | null> = {};
  for (const name of names) {
    times[name] = BEGINNINGS.has(name) ? (timeIn(sources.all, name) ?? earliest(all, name)) : timeIn(outcome, name);
  }
  return times;
}

/** Observations of each status that may date the outcome. The service's word on a settled record counts also where webhooks go beyond it. */
function outcomesOf(kind: RecordKind, { all, confirmed }: TimeSources): (readonly Backed[])[] {
  const [winner = null] = all;
  const alike = (one: Backed | null) =>
    all.filter(({ stated }) => one !== null && isSame(stated.status, one.stated.status));
  const settled = confirmed !== null && isSettled(kind, confirmed.stated.status) ? confirmed : null;
  return [alike(settled), alike(winner), alike(confirmed)];
}

function timeIn(sources: readonly Backed[], name: string, isWanted = (_time: ServiceTime) => true): ServiceTime | null {
  const given = sources.map(({ contents }) => agreedTime(contents, name));
  return given.find((time) => time !== null && isWanted(time)) ?? null;
}

function isSame(one: string, other: string): boolean {
  return one === other || sameOutcome(one, other);
}

/** One instant in two notations is agreed. */
function agreedTime(contents: readonly Observation[], name: string): ServiceTime | null {
  const [first, ...others] = givenTimes(contents, name);
  if (first === undefined || others.some((other) => instantIn(other) !== instantIn(first))) return null;
  return others.reduce((least, other) => (other.text < least.text ? other : least), first);
}

/** The earliest instant; a text that cannot be read only where there is no other. */
function earliest(all: readonly Observation[], name: string): ServiceTime | null {
  const order = ({ text, utc }: ServiceTime) => `${utc ?? '~'} ${text}`;
  return givenTimes(all, name).sort((one, other) => compareTexts(order(one), order(other)))[0] ?? null;
}

function instantIn({ text, utc }: ServiceTime): string {
  return utc ?? text;
}

function givenTimes(contents: readonly Observation[], name: string): ServiceTime[] {
  return contents.map(({ stated }) => stated.times[name] ?? null).filter((time) => time !== null);
}

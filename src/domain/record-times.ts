import { type Backed, compareTexts, type Observation, sameOutcome } from './observation.ts';
import type { ServiceTime, Times } from './service-times.ts';

/** Times of the beginning of a record: they never change, so every claim about the record may give them. */
const BEGINNINGS: ReadonlySet<string> = new Set(['createdAt', 'requestedAt']);

/**
 * Returns the times of a record. `sources` stand in the order in which they are asked, the winning claim first. Only claims
 * with the status of that one may add what it does not give; the time of the beginning is taken from any claim. Contents
 * of one source that disagree give none, so that the order of arrival decides nothing.
 */
export function timesOf(sources: readonly Backed[], all: readonly Observation[]): Times {
  const [winner] = sources;
  const [only, another] = all;
  if (winner !== undefined && only !== undefined && another === undefined) return only.claim.times;
  const alike = sources.filter(({ stated }) => winner !== undefined && isSame(stated.status, winner.stated.status));
  const times: Record<string, ServiceTime | null> = {};
  for (const name of new Set(all.flatMap(({ claim }) => Object.keys(claim.times)))) {
    const begins = BEGINNINGS.has(name);
    const given = (begins ? sources : alike).map(({ contents }) => agreedTime(contents, name));
    times[name] = given.find((time) => time !== null) ?? (begins ? earliest(all, name) : null);
  }
  return times;
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
  return contents.map(({ claim }) => claim.times[name] ?? null).filter((time) => time !== null);
}

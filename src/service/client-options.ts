import { TallyhookError } from '../domain/error.ts';
import { unknownMember } from '../domain/misuse.ts';
import { COLLECTION_VERSIONS, VERIFICATION_ENDPOINTS } from '../domain/requests/request.ts';
import { isRecord, kindOf } from './calls/arguments.ts';

type Check = (value: unknown) => boolean;

const isFunction: Check = (value) => typeof value === 'function';
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);
const withMethods =
  (...names: readonly string[]): Check =>
  (value) =>
    isRecord(value) && names.every((name) => isFunction(value[name]));
const isPath: Check = (value) => value === undefined || value === null || typeof value === 'string';

/** What each option that is no limit must be, if it is given. */
const RULES: Readonly<Record<string, readonly [isRight: Check, rule: string]>> = {
  paths: [
    (value) => isRecord(value) && Object.values(value).every(isPath),
    'an object of paths: { payout: "/api/v1/payout/{reference}" }',
  ],
  collectionVersion: [oneOf(...COLLECTION_VERSIONS), COLLECTION_VERSIONS.join(' or ')],
  payoutAmount: [oneOf('number', 'string'), 'number or string'],
  sendKeyIn: [oneOf('header', 'body'), 'header or body'],
  journal: [
    (value) => value === null || withMethods('begin', 'settle')(value),
    'a journal: memoryJournal(), or openStore(path).requestJournal() of tallyhook',
  ],
  timeZone: [(value) => typeof value === 'string', 'an IANA name such as Africa/Lagos'],
  codec: [
    (value) => value === null || withMethods('encode', 'decode')(value),
    'a codec: aesCbcCodec({ keyHex, ivHex })',
  ],
  proven: [
    (value) => Array.isArray(value) && value.every(oneOf(...VERIFICATION_ENDPOINTS)),
    `a list of ${VERIFICATION_ENDPOINTS.join(', ')}`,
  ],
  signal: [(value) => value === null || value instanceof AbortSignal, 'an AbortSignal'],
  onProven: [isFunction, 'a function'],
  onWarning: [isFunction, 'a function'],
  random: [isFunction, 'a function that returns a number from 0 to 1'],
  nowMs: [isFunction, 'a function that returns milliseconds'],
};

/**
 * Refuses options that the types forbid, and those that are not in `known`; `example` is the call as it should be.
 *
 * @throws TallyhookError (configuration), which never quotes a value
 */
export function requireClientOptions(options: unknown, known: readonly string[], example: string): void {
  if (!isRecord(options)) throw wrong(`The options are ${kindOf(options)}, and must be an object: ${example}`);
  requireKnownOptions(options, known);
  for (const [name, [isRight, rule]] of Object.entries(RULES)) {
    const value = options[name];
    if (value !== undefined && !isRight(value)) throw wrong(`${name} is ${kindOf(value)}: it must be ${rule}.`);
  }
  if (isRecord(options.paths)) requireKnownOptions(options.paths, VERIFICATION_ENDPOINTS);
}

function requireKnownOptions(options: object, known: readonly string[]): void {
  const unknown = unknownMember(options, known);
  if (unknown !== null) throw wrong(`${unknown.name} ${unknown.rule}.`);
}

function wrong(message: string): TallyhookError {
  return new TallyhookError(message, { kind: 'configuration' });
}

import { COLLECTION_VERSIONS, type CollectionVersion } from '../../domain/requests/request.ts';
import { isRecord, kindOf, optionalWord, requireRequest } from '../calls/arguments.ts';
import type { Caller, ServiceRequest } from '../calls/caller.ts';
import { requireNewReference } from '../calls/references.ts';
import { InvalidFieldsError } from '../errors/field-errors.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { CardReferenceError, MixedVersionsError, RequestRefusedError } from '../errors/usage-errors.ts';
import type { CallContext } from '../options.ts';

/** Card details for the test helper (interface 2.2). Tallyhook neither stores nor shows them. */
export interface TestCard {
  readonly number: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Two digits. */
  readonly expiryYear: string;
  readonly cvv: string;
}

/** A test card and the payment that must reuse its reference. */
export interface CardToEncrypt {
  readonly card: TestCard;
  readonly reference: string;
  readonly version?: CollectionVersion | undefined;
}

/** An encrypted card payload with the reference it was made for. The payload is private, so logs do not show it. */
export class EncryptedCard {
  readonly reference: string;
  readonly version: CollectionVersion;
  readonly #payload: string;

  constructor(reference: string, version: CollectionVersion, payload: string) {
    this.reference = reference;
    this.version = version;
    this.#payload = payload;
  }

  /**
   * Returns the hexadecimal payload for the payment under `reference`.
   *
   * @throws CardReferenceError, MixedVersionsError
   */
  payloadFor(reference: string, version: CollectionVersion): string {
    if (reference !== this.reference) throw new CardReferenceError(this.reference, reference);
    if (version !== this.version) throw new MixedVersionsError(reference, this.version, version);
    return this.#payload;
  }
}

/**
 * Encrypts a test card for one reference (interface 2.2, 4.2).
 *
 * @throws RequestRefusedError with a live key: the helper is for the test environment (decision 91)
 */
export async function encryptTestCard(
  caller: Caller,
  context: CallContext,
  request: CardToEncrypt,
): Promise<EncryptedCard> {
  requireRequest(request, ['card', 'reference', 'version'], 'collections.encryptTestCard({ card, reference })');
  const { card, reference, version = context.collectionVersion } = request;
  optionalWord('version', version, COLLECTION_VERSIONS);
  if (context.environment === 'live') {
    throw new RequestRefusedError('card', 'can be encrypted by this helper with a test key only', {
      hint: 'Make a live payload as your agreement with the service describes.',
    });
  }
  requireNewReference(reference);
  requireCard(card);
  const { number, expiryMonth, expiryYear, cvv } = card;
  const post: ServiceRequest = {
    method: 'POST',
    path: `${version === 'v1' ? '/api/s2s/v1' : '/api/s2s'}/test/encryption`,
    body: { data: { number, expiryMonth, expiryYear, cvv }, reference },
    repeat: 'never',
    sensitive: [number, cvv],
    refusal: (facts) => (Object.keys(facts.fields).length > 0 ? new InvalidFieldsError(facts) : null),
  };
  const { httpStatus, text } = await caller.fetchText(post);
  const payload = text.replace(/\r?\n$/, '').replace(/^"(.*)"$/, '$1'); // decision 60
  if (/^([0-9a-fA-F]{2})+$/.test(payload)) return new EncryptedCard(reference, version, payload);
  throw new UnreadableAnswerError(post, httpStatus, 'shape', 'it is not a hexadecimal payload');
}

/** Checks the card details. Throws RequestRefusedError with the name of a wrong field, never its value. */
function requireCard(card: TestCard): void {
  if (!isRecord(card)) {
    throw new RequestRefusedError('card', `is ${kindOf(card)}, and must be { number, expiryMonth, expiryYear, cvv }`);
  }
  const { number, expiryMonth, expiryYear, cvv } = card;
  const rules = [
    ['number', number, /^\d{12,19}$/, '12 to 19 digits'],
    ['expiryMonth', expiryMonth, /^(0[1-9]|1[0-2])$/, 'a month of two digits'],
    ['expiryYear', expiryYear, /^\d{2}$/, 'a year of two digits'],
    ['cvv', cvv, /^\d{3,4}$/, 'three or four digits'],
  ] as const;
  for (const [field, value, form, rule] of rules) {
    if (typeof value === 'string' && form.test(value)) continue;
    throw new RequestRefusedError(`card.${field}`, `must be a text: ${rule}`);
  }
}

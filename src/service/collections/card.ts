import type { CollectionVersion } from '../../domain/request.ts';
import type { Caller, Question } from '../calls/caller.ts';
import { requireNewReference } from '../calls/references.ts';
import { InvalidFieldsError } from '../errors/field-errors.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { CardReferenceError, MixedVersionsError, RequestRefusedError } from '../errors/usage-errors.ts';
import type { CallContext } from '../options.ts';

/** Card details for the test helper (interface 2.2). Nothing of Tallyhook keeps or shows them. */
export interface TestCard {
  readonly number: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Two digits. */
  readonly expiryYear: string;
  readonly cvv: string;
}

/** An encrypted card payload: it remembers the reference it was made for, and shows its payload to nobody by accident. */
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
   * The hexadecimal payload for the payment under `reference`.
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
  card: TestCard,
  reference: string,
  version: CollectionVersion,
): Promise<EncryptedCard> {
  if (context.environment === 'live') {
    throw new RequestRefusedError('card', 'can be encrypted by this helper with a test key only', {
      hint: 'A live payload is made as your agreement with the service says.',
    });
  }
  requireNewReference(reference);
  const { number, expiryMonth, expiryYear, cvv } = card;
  requireCard(card);
  const question: Question = {
    method: 'POST',
    path: `${version === 'v1' ? '/api/s2s/v1' : '/api/s2s'}/test/encryption`,
    body: { data: { number, expiryMonth, expiryYear, cvv }, reference },
    repeat: 'never',
    sensitive: [number, cvv],
    refusal: (facts) => (Object.keys(facts.fields).length > 0 ? new InvalidFieldsError(facts) : null),
  };
  const { httpStatus, text } = await caller.fetchText(question);
  const payload = text.replace(/\r?\n$/, '').replace(/^"(.*)"$/, '$1'); // decision 60
  if (/^([0-9a-fA-F]{2})+$/.test(payload)) return new EncryptedCard(reference, version, payload);
  throw new UnreadableAnswerError(question, httpStatus, 'shape', 'it is no hexadecimal payload');
}

/** Says which field is wrong and never what it holds. */
function requireCard({ number, expiryMonth, expiryYear, cvv }: TestCard): void {
  const rules = [
    ['number', number, /^\d{12,19}$/, '12 to 19 digits'],
    ['expiryMonth', expiryMonth, /^(0[1-9]|1[0-2])$/, 'a month of two digits'],
    ['expiryYear', expiryYear, /^\d{2}$/, 'a year of two digits'],
    ['cvv', cvv, /^\d{3,4}$/, 'three or four digits'],
  ] as const;
  for (const [field, value, form, rule] of rules) {
    if (!form.test(String(value))) throw new RequestRefusedError(`card.${field}`, `must be ${rule}`);
  }
}

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { hasCheckDigit } from '../wire/card-fields.ts';
import type { Collection, Merchant } from '../world/records.ts';
import type { Settings } from '../world/settings.ts';

/**
 * The simulator cards (decision 61) and the payload of the card helper (interface 2.2, decision 60). The numbers are
 * obvious test data; a number that is not in the table is declined as unrecognised (interface 3.1).
 */
export const SIMULATOR_CARDS = [
  { number: '4000000000000002', outcome: 'approved', note: 'approved' },
  { number: '5100000000000008', outcome: 'approved', note: 'approved' },
  { number: '4000000000000010', outcome: 'declined', note: 'declined: insufficient funds' },
  { number: '5100000000000016', outcome: 'declined', note: 'declined: do not honour' },
  { number: '4000000000000028', outcome: 'recurring', note: 'recurring: approved on the hosted page, refused by S2S' },
] as const satisfies readonly SimulatorCard[];

export interface SimulatorCard {
  readonly number: string;
  readonly outcome: 'approved' | 'declined' | 'recurring';
  /** The outcome, then after a colon the reason. */
  readonly note: string;
}

export type CardOutcome = SimulatorCard['outcome'] | 'unrecognized';

export interface Card {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cvv: string;
}

/** The built-in table and the cards of the settings; a card of the settings replaces a built-in one of its number. */
export function simulatorCards({ cards }: Pick<Settings, 'cards'>): readonly SimulatorCard[] {
  const own = new Map<string, SimulatorCard>(
    cards.map(({ number, outcome, reason }) => [
      number,
      { number, outcome, note: [outcome, reason].filter(Boolean).join(': ') },
    ]),
  );
  const builtIn = SIMULATOR_CARDS.filter(({ number }) => !own.has(number));
  return own.size === 0 ? SIMULATOR_CARDS : [...builtIn, ...own.values()];
}

/** Whether a number is mistyped: its check digit is wrong, and no card of the table has it. */
export function isMistyped(settings: Settings, number: string): boolean {
  return !hasCheckDigit(number) && cardOf(settings, number) === undefined;
}

export function cardOutcome(settings: Settings, number: string): CardOutcome {
  return cardOf(settings, number)?.outcome ?? 'unrecognized';
}

/** The decline message of a card, with the reason from the table; without a reason for a card that is not declined. */
export function declineOf(settings: Settings, number: string): string {
  const known = cardOf(settings, number);
  if (!known) return 'Unrecognized simulator card';
  return known.outcome === 'declined' ? `${DECLINE}${known.note.slice('declined'.length)}` : DECLINE;
}

const cardOf = (settings: Settings, number: string): SimulatorCard | undefined =>
  simulatorCards(settings).find((card) => card.number === number);

/** The message of every decline (interface 2.3). */
export const DECLINE = 'Simulated decline';

/** Encrypts a card for one reference and one endpoint version; the same input always gives the same hexadecimal text. */
export function sealCard(merchant: Merchant, reference: string, version: Collection['version'], card: Card): string {
  const plain = JSON.stringify({ version, ...card });
  const iv = createHash('sha256').update(`${merchant.id}:${reference}:${plain}`).digest().subarray(0, 12);
  const cipher = createCipheriv('aes-256-gcm', cardKey(merchant), iv).setAAD(Buffer.from(reference));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('hex');
}

/** The card and the version it was made on, or null: not hexadecimal, altered, or made for another reference. */
export function openCard(
  merchant: Merchant,
  reference: string,
  payload: string,
): (Card & { readonly version: Collection['version'] }) | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(payload)) return null;
  const bytes = Buffer.from(payload, 'hex');
  if (bytes.length < 29) return null;
  const decipher = createDecipheriv('aes-256-gcm', cardKey(merchant), bytes.subarray(0, 12))
    .setAAD(Buffer.from(reference))
    .setAuthTag(bytes.subarray(-16));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
    return JSON.parse(plain);
  } catch {
    return null; // the tag does not fit: another reference, another merchant, or altered bytes
  }
}

// One key for both environments: the interface does not show how a live payload is made (decision 91).
function cardKey(merchant: Merchant): Buffer {
  return createHash('sha256').update(`sandbox card payload of ${merchant.id}`).digest();
}

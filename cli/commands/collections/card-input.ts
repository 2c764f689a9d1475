import { text as textOf } from 'node:stream/consumers';
import type { Environment } from '../../../src/domain/environment.ts';
import type { TestCard } from '../../../src/service/collections/card.ts';
import { UsageError } from '../../options/options.ts';

const FIELDS = ['number', 'expiryMonth', 'expiryYear', 'cvv'] as const;
const PROMPTS = {
  number: 'Card number',
  expiryMonth: 'Expiry month (MM)',
  expiryYear: 'Expiry year (YY)',
  cvv: 'Security code',
} as const satisfies Record<keyof TestCard, string>;

/**
 * Reads card details from a hidden prompt or from four lines on stdin; never from arguments, which other users of the machine
 * can see. In live, reads the encrypted payload: one hexadecimal line, made as the merchant agreed with the service.
 */
export async function readCard(environment: Environment): Promise<TestCard | string> {
  if (environment === 'live') {
    const typed = process.stdin.isTTY ? promptHidden('Encrypted card payload (hexadecimal)') : textOf(process.stdin);
    return oneLine(await typed);
  }
  if (process.stdin.isTTY) {
    const card: Record<string, string> = {};
    for (const field of FIELDS) card[field] = (await promptHidden(PROMPTS[field])).trim();
    return card as unknown as TestCard;
  }
  const lines = (await textOf(process.stdin)).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length !== FIELDS.length) {
    throw new UsageError(`stdin has ${lines.length} lines of card details; 4 are needed: number, month, year, code.`);
  }
  return Object.fromEntries(FIELDS.map((field, index) => [field, lines[index]?.trim() ?? ''])) as unknown as TestCard;
}

async function promptHidden(message: string): Promise<string> {
  const { prompt } = await import('../../context/terminal.ts');
  return prompt(message, { hidden: true, stopped: 'nothing was sent' });
}

function oneLine(input: string): string {
  const payload = input.trim();
  if (payload !== '') return payload;
  throw new UsageError('The encrypted card payload is empty.');
}

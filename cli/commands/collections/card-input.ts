import { text as textOf } from 'node:stream/consumers';
import type { Environment } from '../../../src/domain/environment.ts';
import type { TestCard } from '../../../src/service/collections/card.ts';
import { openTerminal } from '../../context/terminal.ts';
import { UsageError } from '../../options/options.ts';

const FIELDS = ['number', 'expiryMonth', 'expiryYear', 'cvv'] as const;
const PROMPTS = {
  number: 'Card number: ',
  expiryMonth: 'Expiry month (MM): ',
  expiryYear: 'Expiry year (YY): ',
  cvv: 'Security code: ',
} as const satisfies Record<keyof TestCard, string>;

/**
 * Reads card details from a hidden prompt or from four lines on stdin; never from arguments, which other users of the machine
 * can see. In live, reads the encrypted payload: one hexadecimal line, made as the merchant agreed with the service.
 */
export async function readCard(environment: Environment): Promise<TestCard | string> {
  if (environment === 'live') return oneLine(await prompted('Encrypted card payload (hexadecimal): '));
  if (process.stdin.isTTY) {
    const terminal = openTerminal();
    try {
      const card: Record<string, string> = {};
      for (const field of FIELDS) card[field] = (await terminal.prompt(PROMPTS[field], { hidden: true })).trim();
      return card as unknown as TestCard;
    } finally {
      terminal.close();
    }
  }
  const lines = (await textOf(process.stdin)).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length !== FIELDS.length) {
    throw new UsageError(`stdin has ${lines.length} lines of card details; 4 are needed: number, month, year, code.`);
  }
  return Object.fromEntries(FIELDS.map((field, index) => [field, lines[index]?.trim() ?? ''])) as unknown as TestCard;
}

async function prompted(text: string): Promise<string> {
  if (!process.stdin.isTTY) return textOf(process.stdin);
  const terminal = openTerminal();
  try {
    return await terminal.prompt(text, { hidden: true });
  } finally {
    terminal.close();
  }
}

function oneLine(input: string): string {
  const payload = input.trim();
  if (payload !== '') return payload;
  throw new UsageError('There is no card payload on stdin.');
}

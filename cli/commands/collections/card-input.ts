import { text } from 'node:stream/consumers';
import type { Environment } from '../../../src/domain/environment.ts';
import type { TestCard } from '../../../src/service/collections/card.ts';
import { openTerminal } from '../../context/terminal.ts';
import { UsageError } from '../../options/options.ts';

const FIELDS = ['number', 'expiryMonth', 'expiryYear', 'cvv'] as const;
const QUESTIONS = {
  number: 'Card number: ',
  expiryMonth: 'Expiry month (MM): ',
  expiryYear: 'Expiry year (YY): ',
  cvv: 'Security code: ',
} as const satisfies Record<keyof TestCard, string>;

/**
 * Card details from a hidden prompt, or from four lines on stdin; never from arguments, which other users of a machine can
 * see. In live it is the encrypted payload, one hexadecimal line: how that is made is between you and the service.
 */
export async function readCard(environment: Environment): Promise<TestCard | string> {
  if (environment === 'live') return oneLine(await prompted('Encrypted card payload (hexadecimal): '));
  if (process.stdin.isTTY) {
    const terminal = openTerminal();
    try {
      const card: Record<string, string> = {};
      for (const field of FIELDS) card[field] = (await terminal.ask(QUESTIONS[field], { hidden: true })).trim();
      return card as unknown as TestCard;
    } finally {
      terminal.close();
    }
  }
  const lines = (await text(process.stdin)).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length !== FIELDS.length) {
    throw new UsageError(
      `stdin has ${lines.length} lines of card details, and must have 4: number, month, year, code.`,
    );
  }
  return Object.fromEntries(FIELDS.map((field, index) => [field, lines[index]?.trim() ?? ''])) as unknown as TestCard;
}

async function prompted(question: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  const terminal = openTerminal();
  try {
    return await terminal.ask(question, { hidden: true });
  } finally {
    terminal.close();
  }
}

function oneLine(given: string): string {
  const payload = given.trim();
  if (payload !== '') return payload;
  throw new UsageError('There is no card payload on stdin.');
}

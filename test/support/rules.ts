import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeeRule, Rules } from '../../src/domain/reconciling/rules.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';

/** Loads rules from their text, beside other files such as a calendar. */
export async function rulesOf(text: string, beside: Readonly<Record<string, string>> = {}): Promise<Rules> {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-rules-'));
  try {
    for (const [name, content] of Object.entries({ ...beside, 'rules.yaml': text })) {
      writeFileSync(join(folder, name), content);
    }
    return await loadRules(join(folder, 'rules.yaml'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The fee rule of the tests: 1.5 % + 100.00 of a collection by card in NGN, 7.5 % tax, all of 2026. */
export const CARD_RULE: FeeRule = {
  from: '2026-01-01',
  to: '2026-12-31',
  kind: 'collection',
  channel: 'card',
  currency: 'NGN',
  percent: '1.5',
  fixed: 10000n,
  cap: null,
  minimum: null,
  tax: { percent: '7.5' },
  duty: null,
  rounding: 'half_up',
};

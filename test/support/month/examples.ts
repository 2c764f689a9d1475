import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { packageFile } from '../../../src/package-root.ts';
import type { Told } from '../shop/records.ts';
import { Shop } from '../shop/shop.ts';
import { webhookOf } from './tell.ts';

/* The worked examples of docs/reconciliation.md: files and records in test/fixtures/reconciliation, figures by hand. */

const FOLDER = packageFile('test/fixtures/reconciliation');

/** What a run over some days must say: lists by their named members, proof rows as ours, theirs and difference. */
export interface ExampleRun {
  readonly from: string;
  readonly to: string;
  readonly exit?: number;
  readonly matched?: Readonly<Record<string, number>>;
  readonly breaks: readonly Readonly<Record<string, unknown>>[];
  readonly timing?: readonly Readonly<Record<string, unknown>>[];
  readonly carried?: readonly Readonly<Record<string, unknown>>[];
  readonly reserved?: readonly Readonly<Record<string, unknown>>[];
  /** By account; a row that is not named is 0.00 on both sides. */
  readonly proof: Readonly<Record<string, Readonly<Record<string, readonly [string, string, string]>>>>;
}

export interface Example {
  /** The text of tallyhook.yaml. */
  readonly config?: string;
  readonly stages: readonly {
    readonly told: readonly { readonly kind: RecordKind; readonly data: Readonly<Record<string, unknown>> }[];
    readonly imports: readonly (readonly [file: string, profile: string])[];
    readonly runs: readonly ExampleRun[];
  }[];
}

export function exampleOf(name: string): Example {
  return JSON.parse(readFileSync(join(FOLDER, name, 'example.json'), 'utf8')) as Example;
}

/** The texts of an example's files. */
export function filesOf(name: string): string[] {
  const files = readdirSync(join(FOLDER, name)).filter((file) => file.endsWith('.csv'));
  return files.map((file) => readFileSync(join(FOLDER, name, file), 'utf8'));
}

/** Carries out an example step by step; `hold` gets every run's expectation with what the program gave. */
export async function carryOut(
  name: string,
  hold: (run: ExampleRun, given: { readonly code: number | null; readonly report: Record<string, unknown> }) => void,
): Promise<void> {
  const { config, stages } = exampleOf(name);
  const shop = await Shop.of();
  const textOf = (file: string) => readFileSync(join(FOLDER, name, file), 'utf8');
  if (config !== undefined) shop.file('tallyhook.yaml', config);
  for (const { told, imports, runs } of stages) {
    await shop.tell(told.map(toldOfData));
    for (const [file, profile] of imports) {
      shop.file(profile, textOf(profile));
      await shop.import(profile, file, textOf(file));
    }
    for (const expected of runs) {
      const { from, to } = expected;
      const { code, stdout, stderr } = await shop.run('reconcile', '--from', from, '--to', to, '--json');
      if (stdout === '') throw new Error(`reconcile ended with ${code}: ${stderr}`);
      hold(expected, { code, report: JSON.parse(stdout) });
    }
  }
}

function toldOfData({ kind, data }: Example['stages'][number]['told'][number]): Told {
  const reference = String(data.reference ?? data.refund_reference);
  const webhooks = [webhookOf(kind, String(data.status), data)];
  return { environment: 'test', kind, reference, webhooks, data };
}

import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

/** `given`: stated in the document. `observed`: seen in the family of this service, unconfirmed. `ours`: our own choice. */
export const MARKS = ['given', 'observed', 'ours'] as const;
export type Mark = (typeof MARKS)[number];

export interface InterfaceSection {
  readonly section: string;
  readonly title: string;
  /** Rows, rules, fields and errors of the section, by a short name of ours. */
  readonly rows: Readonly<Record<string, string>>;
}

export const SECTIONS: readonly InterfaceSection[] = JSON.parse(
  readFileSync(packageFile('test/fixtures/interface-sections.json'), 'utf8'),
);

/**
 * One guarantee of the interface document, proved by the client against the sandbox over HTTP. `rows` names which rows of the
 * section it proves. docs/conformance.md is made from these calls, so section, rows, mark and guarantee are written literally.
 */
export function conforms(
  section: string,
  rows: readonly string[],
  mark: Mark,
  guarantee: string,
  prove: () => Promise<void>,
): void {
  test(`${section} ${guarantee} (${mark}: ${rows.join(', ')})`, prove);
}

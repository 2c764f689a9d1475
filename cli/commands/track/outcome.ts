import type { Environment } from '../../../src/domain/environment.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { shownDetail } from '../../../src/domain/text/shown-detail.ts';
import type { Tracked } from '../../../src/store/tracking.ts';
import { expectationText, trackedJson } from '../../show/expectation.ts';
import { note, print, printTable } from '../../show/output.ts';
import { deadline, time } from '../../show/text.ts';

/** Expectations of a file that are shown singly: those that replaced others or have a finding. */
const MOST_SHOWN = 100;

/** Counts what tracking did, and prints it. */
export class TrackOutcome {
  readonly counts = { tracked: 0, new: 0, changed: 0, same: 0 };
  /** Expectations with a finding. */
  found = 0;
  readonly #shown: Tracked[] = [];
  #only: Tracked | null = null;

  /** Counts one, and returns how many were counted. */
  add(one: Tracked): number {
    this.counts.tracked++;
    this.counts[one.effect]++;
    this.#only = this.counts.tracked === 1 ? one : null;
    if (one.findings.length > 0) this.found++;
    const remarkable = one.findings.length > 0 || one.effect === 'changed';
    if (remarkable && this.#shown.length < MOST_SHOWN) this.#shown.push(one);
    return this.counts.tracked;
  }

  json() {
    return { ...this.counts, found: this.found, expectations: this.#remarkable.map(trackedJson) };
  }

  print(kind: RecordKind, environment: Environment): void {
    const { tracked, new: fresh, changed, same } = this.counts;
    if (this.#only !== null) printOne(this.#only);
    else {
      print(`${tracked} ${kind}s tracked in ${environment}: ${fresh} new, ${changed} changed, ${same} unchanged`);
      if (this.#shown.length > 0) printTable(this.#shown, COLUMNS);
      if (this.found > MOST_SHOWN) note('There are more: tallyhook track list --open');
    }
  }

  /** A single expectation is always shown. */
  get #remarkable(): readonly Tracked[] {
    return this.#only === null ? this.#shown : [this.#only];
  }
}

const COLUMNS = [
  { header: 'REFERENCE', value: ({ reference }: Tracked) => reference },
  { header: 'EXPECTED', value: (one: Tracked) => expectationText(one) },
  { header: 'BEFORE', value: ({ before }: Tracked) => before && expectationText(before) },
  { header: 'STATE', value: ({ state }: Tracked) => state },
  { header: 'FINDINGS', value: ({ findings }: Tracked) => findings.map(({ code }) => code).join(', ') || null },
];

function printOne(one: Tracked): void {
  const { kind, environment, reference, effect, before, state, findings } = one;
  const done = { new: 'tracked', changed: 'replaced', same: 'unchanged' }[effect];
  print(`${kind} ${reference.replaceAll('\n', '\ufffd')} (${environment}) ${done}: ${expectationText(one)}; ${state}`);
  if (effect === 'changed' && before !== null) print(`before: ${expectationText(before)}`);
  for (const finding of findings) print(`${finding.code}: ${shownDetail(finding, { time, deadline })}`);
}

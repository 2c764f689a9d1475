import type { RecordKind } from '../../../src/domain/lifecycle.ts';
import type { Tracked } from '../../../src/store/tracking.ts';
import { expectationText, trackedJson } from '../../show/expectation.ts';
import { note, print, printTable } from '../../show/output.ts';

/** Of a file's expectations so many are shown one by one: those that replaced others, and those that find something. */
const MOST_SHOWN = 100;

/** What tracking did, counted as it goes. */
export class TrackOutcome {
  readonly counts = { tracked: 0, new: 0, changed: 0, same: 0 };
  found = 0;
  readonly #shown: Tracked[] = [];
  #only: Tracked | null = null;

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

  tell(kind: RecordKind): void {
    const { tracked, new: fresh, changed, same } = this.counts;
    if (this.#only !== null) tellOne(this.#only);
    else {
      print(`${tracked} ${kind}s tracked: ${fresh} new, ${changed} changed, ${same} as before`);
      if (this.#shown.length > 0) printTable(this.#shown, COLUMNS);
      if (this.found > MOST_SHOWN) note('There are more: tallyhook track list --open');
    }
  }

  /** One alone is always shown. */
  get #remarkable(): readonly Tracked[] {
    return this.#only === null ? this.#shown : [this.#only];
  }
}

const COLUMNS = [
  { header: 'REFERENCE', value: ({ reference }: Tracked) => reference },
  { header: 'EXPECTED', value: (one: Tracked) => expectationText(one) },
  { header: 'BEFORE', value: ({ before }: Tracked) => before && expectationText(before) },
  { header: 'STATE', value: ({ state }: Tracked) => state },
  { header: 'FINDS', value: ({ findings }: Tracked) => findings.map(({ code }) => code).join(', ') || null },
];

function tellOne(one: Tracked): void {
  const { kind, environment, reference, effect, before, state, findings } = one;
  const said = { new: 'tracked', changed: 'tracked anew', same: 'tracked already' }[effect];
  print(`${kind} ${reference.replaceAll('\n', '\ufffd')} (${environment}) ${said}: ${expectationText(one)}; ${state}`);
  if (effect === 'changed' && before !== null) print(`before: ${expectationText(before)}`);
  for (const { code, detail } of findings) print(`${code}: ${detail}`);
}

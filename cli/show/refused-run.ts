import type { Outage } from '../../src/domain/alerts/outage.ts';
import { outageText } from '../../src/lists/refused-run-text.ts';
import { note } from './output.ts';
import { zonedTime } from './text.ts';

/** Says on stderr that deliveries are refused now, and why a list has nothing of it. */
export function noteOutage(outage: Outage, { zone }: { readonly zone: string }, why: string): void {
  const { text, next } = outageText(outage, (ms) => zonedTime(ms, zone));
  note(`${text}. ${why}.\n  ${next}`);
}

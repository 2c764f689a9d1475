import { place, type TriedLeg } from '../../../src/why/tried-pass.ts';
import { namedValueLines } from '../../show/named-value.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';

export function printPasses(matching: readonly TriedLeg[]): void {
  for (const { leg, environment, currency, kind, line, passes } of matching) {
    const what = line === null ? (kind ?? '').replace('_', '-') : place(line);
    print(bold(`Passes of ${leg}`));
    print(`for the ${what} (${environment}, ${currency})`);
    const nameWidth = Math.max(...passes.map(({ pass }) => pass.length));
    for (const { pass, text } of passes) {
      for (const each of namedValueLines(pass.padEnd(nameWidth), text, { nameWidth, room: terminalWidth() }))
        print(each);
    }
  }
}

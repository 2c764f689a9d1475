import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompts on a terminal. */
export interface Terminal {
  prompt(text: string, options: { hidden: boolean }): Promise<string>;
  close(): void;
}

/** Prompts are written to stderr, because stdout holds the result only. Hidden input is not echoed. */
export function openTerminal(): Terminal {
  let hidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return {
    async prompt(text, options) {
      if (!options.hidden) return lines.question(text);
      process.stderr.write(text);
      hidden = true;
      const input = await lines.question('');
      hidden = false;
      process.stderr.write('\n');
      return input;
    },
    close: () => lines.close(),
  };
}

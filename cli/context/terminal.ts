import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks a person. */
export interface Terminal {
  ask(question: string, options: { hidden: boolean }): Promise<string>;
  close(): void;
}

/** Questions go to stderr, so that stdout holds the result alone; hidden answers are not echoed. */
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
    async ask(question, options) {
      if (!options.hidden) return lines.question(question);
      process.stderr.write(question);
      hidden = true;
      const answer = await lines.question('');
      hidden = false;
      process.stderr.write('\n');
      return answer;
    },
    close: () => lines.close(),
  };
}

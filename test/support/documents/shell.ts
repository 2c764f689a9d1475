import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { spawn } from '../processes.ts';

export interface CommandEnd {
  readonly code: number;
  readonly output: string;
}

/** One shell in which commands run one after the other, as in a terminal: what one exports or assigns, the next one has. */
export class Shell {
  readonly #child: ChildProcess;
  /** One for all runs: a listener for each piece of output would stay behind. */
  readonly #closed: Promise<unknown>;
  #output = '';
  #count = 0;

  constructor(cwd: string, env: Record<string, string>) {
    this.#child = spawn('sh', { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#closed = once(this.#child, 'close');
    this.#closed.catch(() => {}); // a run reports it
    this.#child.stdin?.on('error', () => {}); // a shell that has ended reads no more; the run reports that, too
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Runs a command without input, and waits for its end. */
  async run(command: string): Promise<CommandEnd> {
    const mark = `--- end ${++this.#count}: `;
    this.#output = '';
    this.#child.stdin?.write(`{ ${command}\n} < /dev/null\nprintf '\\n${mark}%s\\n' "$?"\n`);
    for (;;) {
      const [, output = '', code] = new RegExp(`^(.*)\n${mark}(\\d+)\n`, 's').exec(this.#output) ?? [];
      if (code !== undefined) return { code: Number(code), output };
      await Promise.race([once(this.#child.stdout as NodeJS.ReadableStream, 'data'), this.#ended(command)]);
    }
  }

  async #ended(command: string): Promise<never> {
    await this.#closed;
    throw new Error(`the shell ended at: ${command}\n${this.#output}`);
  }

  end(): void {
    this.#child.kill();
  }
}

/** The commands of a block: lines, joined where one ends with a backslash or inside quotes; comments are left out. */
export function commandsOf(block: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if (open.endsWith('\\') || (open.split("'").length - 1) % 2 === 1) continue;
    const command = open.replace(/(^|\s+)# .*$/s, '').trim();
    if (command !== '') commands.push(command);
    open = '';
  }
  return commands;
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { carryOut } from '../command.ts';
import { spawn } from '../processes.ts';

export interface CommandEnd {
  readonly code: number;
  readonly output: string;
}

/**
 * What stands on the PATH of a shell for `tallyhook`: passes the words, the environment and the folder that the shell gave it, and prints
 * what comes back. A start of the real program takes twenty times as long.
 */
const STAND_IN = `#!/bin/sh
order=$(mktemp -d)
env -0 > "$order/env"
[ $# = 0 ] || printf '%s\\0' "$@" > "$order/words"
echo "$order:$PWD" >&3
read -r code <&3
. "$order/print"
rm -r "$order"
exit "$code"
`;

/** Makes a `tallyhook` at `path` that only a `Shell` can call: `carryOut` does what it is called with. */
export function makeStandIn(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, STAND_IN, { mode: 0o755 });
}

/** One shell in which commands run one after the other, as in a terminal: what one exports or assigns, the next one has. */
export class Shell {
  /** Where the clock of `tallyhook` stands, if it does not go as that of the machine. */
  nowMs: number | undefined;
  readonly #child: ChildProcess;
  /** One for all runs: a listener for each piece of output would stay behind. */
  readonly #closed: Promise<unknown>;
  #output = '';
  #count = 0;

  constructor(cwd: string, env: Record<string, string>) {
    this.#child = spawn('sh', { cwd, env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    this.#carryOut(this.#child.stdio[3] as Duplex);
    this.#closed = once(this.#child, 'close');
    this.#closed.catch(() => {}); // a run reports it
    this.#child.stdin?.on('error', () => {}); // a shell that has ended reads no more; the run reports that, too
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Runs a line without input, and waits for its end. */
  async run(line: string): Promise<CommandEnd> {
    const mark = `--- end ${++this.#count}: `;
    this.#output = '';
    this.#child.stdin?.write(`{ ${line}\n} < /dev/null\nprintf '\\n${mark}%s\\n' "$?"\n`);
    for (;;) {
      const [, output = '', code] = new RegExp(`^(.*)\n${mark}(\\d+)\n`, 's').exec(this.#output) ?? [];
      if (code !== undefined) return { code: Number(code), output };
      await Promise.race([once(this.#child.stdout as NodeJS.ReadableStream, 'data'), this.#ended(line)]);
    }
  }

  /** Each line is a command of the stand-in: the folder of its order, and the one it was called in. */
  #carryOut(orders: Duplex): void {
    createInterface(orders).on('line', async (line) => {
      const [order = '', cwd = ''] = line.split(/:(.*)/);
      const partsOf = (name: string) => readFileSync(join(order, name), 'utf8').split('\0').slice(0, -1);
      const env = Object.fromEntries(partsOf('env').map((text) => text.split(/=(.*)/s)));
      const { code, written } = await carryOut(existsSync(join(order, 'words')) ? partsOf('words') : [], {
        cwd,
        env,
        nowMs: this.nowMs,
      }).catch((error) => ({ code: 70, written: [{ stream: 'stderr', text: String(error) } as const] }));
      const printed = written.map(({ stream, text }, at) => {
        writeFileSync(join(order, `${at}`), text);
        return `cat "$order/${at}"${stream === 'stderr' ? ' >&2' : ''}\n`;
      });
      writeFileSync(join(order, 'print'), printed.join(''));
      orders.write(`${code}\n`);
    });
  }

  async #ended(line: string): Promise<never> {
    await this.#closed;
    throw new Error(`the shell ended at: ${line}\n${this.#output}`);
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

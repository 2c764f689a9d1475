import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killGroup, spawn } from './processes.ts';
import { LAUNCHER } from './program.ts';
import { FOUND_ON_PATH } from './tallyhook.ts';
import { until } from './wait.ts';

/** Key presses that stop a prompt. */
export const KEYS = { 'Ctrl-C': '\x03', 'Ctrl-D': '\x04', Escape: '\x1b' } as const;

/** What a terminal acts on, or shows in another order; line ends and carriage returns are the terminal's own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
export const ACTIVE_ON_TERMINAL = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

interface TerminalSetup {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** Where stdout goes. Default: a file. */
  readonly stdout?: 'file' | 'terminal';
  /** Its width; without one it reports none, as a serial console does. */
  readonly columns?: number;
}

/** The real program on a terminal of its own, with stdout in a file unless told otherwise; needs `{ tags: ['script'] }`. */
export class OnTerminal {
  /** All that the terminal was sent: stderr, the echo of keys, and stdout where it goes there. */
  shown = '';
  private answeredAt = 0;
  private readonly cwd: string;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown[]>;

  constructor(args: readonly string[], { cwd, env = {}, stdout = 'file', columns }: TerminalSetup) {
    const words = [process.execPath, LAUNCHER, ...args].map((word) => `'${word}'`);
    const sized = columns === undefined ? '' : `stty columns ${columns}; `;
    this.cwd = cwd;
    this.child = spawn(
      'script',
      [
        '--quiet',
        '--return',
        '--command',
        `${sized}exec ${words.join(' ')}${stdout === 'file' ? ' >stdout.txt' : ''}`,
        '/dev/null',
      ],
      { cwd, env: { PATH: process.env.PATH ?? '', ...FOUND_ON_PATH, ...env }, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    this.exited = once(this.child, 'close');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text;
    });
  }

  /** Waits for `text`, since the keys before; the next prompt is looked for behind it. */
  async shows(text: string): Promise<void> {
    await until(() => this.shown.includes(text, this.answeredAt), `the terminal shows "${text}"`);
    this.answeredAt = this.shown.indexOf(text, this.answeredAt) + text.length;
  }

  /** Presses keys once `text` is shown, since the keys before. A prompt reads keys only once it is shown. */
  async typeAt(text: string, keys: string): Promise<void> {
    await until(() => this.shown.includes(text, this.answeredAt), `the terminal shows "${text}"`);
    this.answeredAt = this.shown.length;
    this.child.stdin?.write(keys);
  }

  /** Presses keys now. */
  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Waits for the end of the program. */
  async ended(): Promise<{ code: number; stdout: string }> {
    const [code] = await this.exited;
    const file = join(this.cwd, 'stdout.txt');
    return { code: code as number, stdout: existsSync(file) ? readFileSync(file, 'utf8') : '' };
  }

  /** Kills `script` and the program, which ignores the hang-up of its terminal. */
  kill(): void {
    killGroup(this.child);
  }
}

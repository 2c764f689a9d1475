import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../../src/config/load.ts';
import { withoutSecrets } from '../../src/domain/secrets/secret-text.ts';
import { printableJson } from '../../src/domain/text/printable.ts';
import { terminalLog } from '../show/terminal-log.ts';
import { fileOf, LogLines } from './log-lines.ts';

export interface ServeLog {
  readonly log: Logger;
  /** The level of the line per kept delivery: a person at a terminal sees each, a file has them at `debug`. */
  readonly deliveryLevel: 'info' | 'debug';
}

/**
 * The log of `serve` on stderr: sentences on a terminal, else (and with --json) one JSON object per line. pino-pretty is not
 * used: it passes text from outside to the terminal as it is, and prints facts over several lines.
 */
export function serveLog({ log: { level }, timeZone }: Pick<Config, 'log' | 'timeZone'>, json: boolean): ServeLog {
  const { stderr } = process;
  if (stderr.isTTY === true && !json) {
    return { log: pino({ level }, terminalLog(stderr, timeZone)), deliveryLevel: 'info' };
  }
  const lines = new LogLines(fileOf(2), missingLines);
  process.once('exit', () => lines.flushSync());
  return { log: pino({ level, ...JSON_LINES }, lines), deliveryLevel: 'debug' };
}

function missingLines(lines: number): string {
  return `{"level":"warn"${stdTimeFunctions.isoTime()},"lines":${lines},"msg":"log lines were left out: they could not be written"}\n`;
}

/** ISO times, names of levels, and no character that a terminal acts on when a person reads the file. */
export const JSON_LINES: LoggerOptions = {
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  hooks: { streamWrite: (line) => printableJson(withoutSecrets(line)) },
};

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressBar } from '../../../../cli/show/progress.ts';

const { stderr } = process;
const wasTerminal = Object.getOwnPropertyDescriptor(stderr, 'isTTY');
let drawn: string[] = [];

function onTerminal(isTTY: boolean): void {
  Object.defineProperty(stderr, 'isTTY', { value: isTTY, configurable: true });
}

beforeEach(() => {
  drawn = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(stderr, 'write').mockImplementation((text) => drawn.push(String(text)) > 0);
  onTerminal(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  if (wasTerminal === undefined) Reflect.deleteProperty(stderr, 'isTTY');
  else Object.defineProperty(stderr, 'isTTY', wasTerminal);
});

test('half of the work is half of the bar', () => {
  progressBar(8, 'records').step(4);
  expect(drawn).toEqual([`\r${'█'.repeat(12)}${'░'.repeat(12)} 4 of 8 records\x1b[K`]);
});

test('beyond the total the bar stays full, and the count goes on', () => {
  progressBar(8, 'records').step(9);
  expect(drawn).toEqual([`\r${'█'.repeat(24)} 9 of 8 records\x1b[K`]);
});

test('without a total only the count is drawn', () => {
  progressBar(null, 'rows').step(3);
  expect(drawn).toEqual(['\r3 rows\x1b[K']);
});

test('in a file or a pipe there is a line every 15 seconds, and none of a short task', () => {
  onTerminal(false);
  const progress = progressBar(500, 'bodies');
  progress.step(100);
  vi.advanceTimersByTime(14_999);
  progress.step(200);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(1);
  progress.step(300);
  progress.step(301);
  vi.advanceTimersByTime(15_000);
  progress.step(400, 'checking');
  progress.end();
  expect(drawn).toEqual(['300 of 500 bodies\n', '400 of 500 bodies - checking\n']);
});

test('is drawn once in 100 ms, but a remark at once', () => {
  const progress = progressBar(null, 'rows');
  progress.step(1);
  vi.advanceTimersByTime(99);
  progress.step(2);
  expect(drawn).toHaveLength(1);
  progress.step(3, 'the service is slow');
  expect(drawn.at(-1)).toBe('\r3 rows - the service is slow\x1b[K');
  vi.advanceTimersByTime(100);
  progress.step(4);
  expect(drawn).toHaveLength(3);
});

test('is removed at the end', () => {
  progressBar(8, 'records').end();
  expect(drawn).toEqual(['\r\x1b[K']);
});

test('draws nothing on what is no terminal, or without work', () => {
  const nothing = progressBar(0, 'records');
  onTerminal(false);
  const piped = progressBar(8, 'records');
  for (const progress of [nothing, piped]) {
    progress.step(1, 'a remark');
    progress.end();
  }
  expect(drawn).toEqual([]);
});

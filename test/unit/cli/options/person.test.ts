import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { personOf, starterOf } from '../../../../cli/options/person.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test.each([
  ['--as', 'grace', 'ada', 'grace'],
  ['TALLYHOOK_AS without --as', undefined, 'ada', 'ada'],
  ['the user of the operating system without both', undefined, undefined, os.userInfo().username],
  ['the name without blanks around it, composed', ' Ad\u0061\u0301 ', undefined, 'Ad\u00e1'],
])('who says so: %s', (_, as, variable, expected) => {
  vi.stubEnv('TALLYHOOK_AS', variable);
  expect(personOf({ as })).toBe(expected);
});

test.each([
  ['an empty --as, although a variable has a name', ''],
  ['blanks', '  '],
  ['more than 100 characters', 'a'.repeat(101)],
  ['a blank without width', 'Ad\u200ba'],
  ['one at the end', 'Ada\u200b'],
  ['a control of the direction of text', '\u202eada'],
  ['a line break', 'ada\n2026-11-03 ben: approved.'],
  ['a line separator', 'ada\u2028ben'],
  ['a terminal code', '\u001b[31mada'],
  ['a letter that shows nothing', 'ada\u3164'],
  ['a blank of Braille', 'ada\u2800'],
  ['a blank of music', 'ada\u{1d159}'],
  ['a variation of a letter', 'ada\ufe0f'],
  ['who runs and jobs are', 'Tallyhook'],
  ['the same in wide letters', '\uff34\uff41llyhook'],
])('refused: %s', (_, as) => {
  vi.stubEnv('TALLYHOOK_AS', 'ada');
  expect(() => personOf({ as })).toThrow(/The name of who says so/);
});

test('the user that services run as starts what a timer starts, and is no person', () => {
  vi.stubEnv('TALLYHOOK_AS', undefined);
  vi.spyOn(os, 'userInfo').mockReturnValue({ ...os.userInfo(), username: 'tallyhook' });
  syncBuiltinESMExports(); // for those that import it by name
  expect(starterOf({ as: undefined })).toBe('tallyhook');
  expect(() => personOf({ as: undefined })).toThrow('stands for the runs and jobs');
  expect(() => starterOf({ as: 'tallyhook' })).toThrow('stands for the runs and jobs');
  expect(starterOf({ as: 'ada' })).toBe('ada');
});

test.each([
  ['\u0410da', /Latin and Cyrillic letters: is it the name that you mean/],
  ['Ada L\u03bfvelace', /Latin and Greek/],
  ['Ada Lovelace', null],
  ['\u0410\u0434\u0430', null],
  ['Ada \u0418\u0432\u0430\u043d\u043e\u0432', null], // each word in a script of its own
])('letters of scripts that look alike in one word are warned of: %s', (as, warning) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(personOf({ as })).toBe(as);
  if (warning === null) expect(written).not.toHaveBeenCalled();
  else expect(String(written.mock.calls[0]?.[0])).toMatch(warning);
  written.mockRestore();
});

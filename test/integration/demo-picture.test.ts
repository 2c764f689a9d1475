import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEMO_PICTURE, drawDemo } from '../support/demo-picture.ts';

test('docs/demo.svg shows what the demo prints (npm run demo:svg draws it again)', () => {
  expect(readFileSync(DEMO_PICTURE, 'utf8')).toBe(drawDemo());
});

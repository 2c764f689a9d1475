import { describe, test } from 'vitest';
import { keepCompiled } from '../../../cli/runtime.js';
import { CLAIMS } from './claims/all.ts';
import { ENGINES } from './engines.ts';
import { World } from './world.ts';

// Every claim starts threads; with kept code they start in half the time.
keepCompiled();

describe.each(ENGINES)('$name', (engine) => {
  describe.each(Object.entries(CLAIMS))('%s', (_group, claims) => {
    test.each(claims)('$claim', (claim) => World.prove(claim, engine));
  });
});

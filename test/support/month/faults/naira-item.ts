import type { ExpectedItem } from '../story.ts';

/** A break of an account in naira, to which its story adds what it names. */
export const nairaItem = (
  plant: string,
  code: string,
  leg: string,
  side: 'ours' | 'theirs',
  account: string,
): ExpectedItem => ({
  ...{ list: 'breaks', plant, code, leg, side, environment: 'test', account, currency: 'NGN' },
});

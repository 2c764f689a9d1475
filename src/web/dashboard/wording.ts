import { maskedValue } from '../../domain/text/privacy.ts';
import { localTime } from '../../time/local-time.ts';
import type { Wording } from '../../why/entry.ts';

/** How times and values stand in the sentences of a page; values of persons are masked. */
export function wordingIn(zone: string): Wording {
  const time = localTime(zone);
  return {
    time,
    // Of a whole day its date alone.
    deadline: (ms) => (time(ms).endsWith(' 23:59:59') ? time(ms).slice(0, 'yyyy-MM-dd'.length) : time(ms)),
    value: maskedValue,
  };
}

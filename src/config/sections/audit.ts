import { section, text } from '../settings.ts';

/** What the audit chain is signed with. The key itself is never a setting: its file is made by the first act. */
export const audit = section({
  key: section({
    file: text(
      './audit.key',
      'Key file of the audit chain, relative to the folder of this file; keep a copy elsewhere.',
    ),
  }),
});

import { perKind } from '../../src/domain/records/lifecycle.ts';
import { commandGroup } from '../options/command-group.ts';
import type { Cli } from '../options/options.ts';

const SUBCOMMANDS = {
  ...perKind((kind) => async () => {
    const { addTrackKindCommand } = await import('./track/kind.ts');
    return (track: Cli) => addTrackKindCommand(track, kind);
  }),
  list: async () => (await import('./track/list.ts')).addTrackListCommand,
  forget: async () => (await import('./track/forget.ts')).addTrackForgetCommand,
};

/** `tallyhook track …`: records that the merchant expects. */
export const trackCommand = (word: string | undefined) =>
  commandGroup('track', word, SUBCOMMANDS, 'What to track: a refund, a payout or a collection? Or list, forget?');

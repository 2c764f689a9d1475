import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addTrackForgetCommand } from './track/forget.ts';
import { addTrackKindCommand } from './track/kind.ts';
import { addTrackListCommand } from './track/list.ts';

/** `tallyhook track …`: records that the merchant expects. */
export function addTrackCommand(cli: Cli): Cli {
  return cli.command('track', SUMMARY.track, (track) => {
    for (const kind of RECORD_KINDS) addTrackKindCommand(track, kind);
    addTrackListCommand(track);
    addTrackForgetCommand(track);
    return track.demandCommand(1, 'What to track: a refund, a payout or a collection? Or list, forget?');
  });
}

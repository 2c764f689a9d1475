import { z } from 'zod';
import { secretText, section, text, wholeNumber } from '../settings.ts';

const SHORTEST_TOKEN_LENGTH = 16;

/** The listener for health, readiness and metrics. */
export const admin = section({
  host: text('127.0.0.1', 'Address of the admin listener; beyond loopback it needs a token.'),
  port: wholeNumber(0, 65_535, 4601, 'Port of the admin listener; 0 takes any free one.'),
  token: secretText(SHORTEST_TOKEN_LENGTH, 'Bearer token of the admin listener.'),
  allowedHosts: z
    .array(z.string('must be a host name').min(1, 'must be a host name'), 'must be a list of host names')
    .default([])
    .describe('Host headers the admin listener answers besides its own address and localhost.'),
});

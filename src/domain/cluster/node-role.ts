/**
 * What a machine does in a cluster. `receive`: it appends deliveries, and needs no database for that. `work`: it carries the log out, runs the
 * jobs and serves the pages.
 */
export const NODE_ROLES = ['receive', 'work'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

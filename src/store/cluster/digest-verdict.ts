import type { NodeDigest } from './shared-log.ts';

/** Which nodes wrote the same at one entry. */
export interface DigestVerdict {
  /** This node does not belong to the majority: it stops. */
  readonly diverged: boolean;
  /** The nodes that wrote something else than this one. */
  readonly others: readonly string[];
}

/**
 * Holds the digest of one node against those of the others at the same entry. The majority is right; without one, as between two nodes, all
 * stop until a person chooses.
 */
export function digestVerdict(own: NodeDigest, all: readonly NodeDigest[]): DigestVerdict {
  const same = (one: NodeDigest) => Buffer.from(one.digest).equals(Buffer.from(own.digest));
  const compared = [own, ...all.filter(({ node, seq }) => node !== own.node && seq === own.seq)];
  const others = compared.filter((one) => !same(one)).map(({ node }) => node);
  const agreeing = compared.length - others.length;
  return { diverged: others.length > 0 && agreeing * 2 <= compared.length, others };
}

import { createHash } from 'node:crypto';

/** Everything that looks random comes from the seed and a label, never from call order across the network: runs repeat. */

/** A number in [0, 1) for these labels. */
export function draw(seed: number, ...labels: ReadonlyArray<string | number>): number {
  return (
    createHash('sha256')
      .update(`${seed}:${labels.join(':')}`)
      .digest()
      .readUInt32BE(0) /
    2 ** 32
  );
}

/** `length` lower-case hexadecimal digits for these labels (at most 128). */
export function drawHex(seed: number, length: number, ...labels: ReadonlyArray<string | number>): string {
  return createHash('sha512')
    .update(`${seed}:${labels.join(':')}`)
    .digest('hex')
    .slice(0, length);
}

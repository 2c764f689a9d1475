import { seededRandom } from '../random.ts';

/**
 * The bodies of a recording, up to some pages long. Every tenth is one of the latest again, and every tenth another
 * content under the key of one of them.
 */
export function deliveries(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const bodies: string[] = [];
  for (let n = 1; n <= count; n++) {
    const earlier = bodies.at(-1 - Math.floor(random() * 20));
    const choice = random();
    if (earlier !== undefined && choice < 0.1) bodies.push(earlier);
    else if (earlier !== undefined && choice < 0.2) bodies.push(earlier.replace(/"n":\d+/, `"n":${n}`));
    else bodies.push(event(n, Math.floor(random() * 3) * 4_000));
  }
  return bodies;
}

function event(n: number, padBytes: number): string {
  const data = { refund_reference: `R${n % 40}`, status: 'pending', updated_at: new Date(n * 1_000).toISOString(), n };
  return JSON.stringify({ event: 'refund.pending', data: { ...data, pad: `${n} `.repeat(padBytes / 5) } });
}

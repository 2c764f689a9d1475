/** Event `n` of a recording, some pages long, so that the log wraps and checkpoints happen on the way. */
export function eventBody(n: number): string {
  const data = { refund_reference: `R${n % 40}`, status: 'pending', updated_at: new Date(n * 1_000).toISOString(), n };
  return JSON.stringify({ event: 'refund.pending', data: { ...data, pad: `${n} `.repeat(1_500) } });
}

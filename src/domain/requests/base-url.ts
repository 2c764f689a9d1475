/** Returns the rule that the service's base address breaks, or null: https unless on this machine, only origin and path. */
export function baseUrlProblem(value: string): string | null {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with https://';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must start with https://, because secret keys travel to this address';
  }
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  return url.search !== '' || url.hash !== '' ? 'must not carry a query or fragment' : null;
}

/** Returns whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(bare);
}

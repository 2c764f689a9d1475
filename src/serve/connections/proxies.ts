import { BlockList, isIP } from 'node:net';

/** The networks behind the names that `trustProxy` knows. */
const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Returns whether an address may be a proxy in front of the receiver, through which all senders come: one of `trustProxy`,
 * or, where none is named, this machine.
 */
export function proxyTest(trustProxy: false | readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const name of trustProxy === false ? ['loopback'] : trustProxy) {
    for (const network of NAMED_NETWORKS[name] ?? [name]) add(proxies, network);
  }
  return (address) => {
    const [bare = ''] = address.split('%');
    const family = isIP(bare);
    return family !== 0 && proxies.check(bare, family === 4 ? 'ipv4' : 'ipv6');
  };
}

function add(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

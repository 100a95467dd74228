import { BlockList, isIP } from 'node:net';

// IANA special-purpose address registries (RFC 6890 and its updates): not routed on the internet.
const bogonRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:2::/48',
  '2001:db8::/32',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];

/**
 * Returns a function that is true for addresses that are not routed on the internet: private,
 * loopback, documentation and similar ones.
 */
export function createBogons(): (address: string) => boolean {
  const list = new BlockList();
  for (const range of bogonRanges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

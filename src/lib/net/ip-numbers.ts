import { isIP } from 'node:net';

/** Addresses that IPv4 ones are mapped to (RFC 4291 §2.5.5.2). */
const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

const groupBits = 16n;
const octet = 256;

function dotted(high: string, low: string): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${a >> 8}.${a % octet}.${b >> 8}.${b % octet}`;
}

/** An address in its one spelling: IPv6 by RFC 5952, a mapped IPv4 address as IPv4, without a zone. Undefined when it is none. */
export function canonicalAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '');
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = mapped.exec(short) ?? [];
  return high === undefined || low === undefined ? short : dotted(high, low);
}

/** The number that a canonical address stands for. */
export function addressNumber(address: string): bigint {
  if (isIP(address) === 4)
    return BigInt(address.split('.').reduce((sum, part) => sum * octet + Number(part), 0));
  const [left = [], right = []] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.reduce((sum, group) => (sum << groupBits) + BigInt(`0x${group}`), 0n);
}

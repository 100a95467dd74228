/**
 * Writes tiny MaxMind databases (MaxMind DB format 2.0), because the real ones can't be downloaded
 * here: their terms need an account, and the tests have no network. Written from the specification,
 * it holds IPv4 networks in a tree of version 6 or 4, with records of 24 bits.
 */

type Value = string | number | boolean | { uint: number } | { [name: string]: Value } | Value[];

/** A whole number, which MaxMind's databases store apart from floating-point numbers. */
export const uint = (value: number): { uint: number } => ({ uint: value });

const types = { text: 2, double: 3, uint16: 5, uint32: 6, map: 7, array: 11, boolean: 14 };

function head(type: number, size: number): Buffer {
  const [first, more] =
    size < 29 ? [size, []] : size < 285 ? [29, [size - 29]] : [30, [(size - 285) >> 8, size - 285]];
  return Buffer.from(type < 8 ? [(type << 5) | first, ...more] : [first, type - 7, ...more]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(types.text, bytes.length), bytes]);
  }
  if (typeof value === 'boolean') return head(types.boolean, value ? 1 : 0);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([head(types.double, 8), bytes]);
  }
  if (Array.isArray(value))
    return Buffer.concat([head(types.array, value.length), ...value.map(encode)]);
  if ('uint' in value && typeof value.uint === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value.uint);
    return Buffer.concat([head(types.uint32, 4), bytes]);
  }
  const members = Object.entries(value).flatMap(([name, member]) => [encode(name), encode(member)]);
  return Buffer.concat([head(types.map, members.length / 2), ...members]);
}

interface Node {
  children: [Node | number | undefined, Node | number | undefined];
}

const newNode = (): Node => ({ children: [undefined, undefined] });

/** The bits of a network such as `81.2.69.0/24`. */
function bitsOf(network: string, version: 4 | 6): string {
  const [address = '', length = '32'] = network.split('/');
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
    .slice(0, Number(length));
  return version === 6 ? '0'.repeat(96) + bits : bits;
}

function insert(root: Node, bits: string, offset: number): void {
  let node = root;
  for (const [at, bit] of [...bits].entries()) {
    const side = bit === '1' ? 1 : 0;
    const child = node.children[side];
    if (at === bits.length - 1) node.children[side] = offset;
    else if (typeof child === 'object') node = child;
    else {
      const created = newNode();
      node.children[side] = created;
      node = created;
    }
  }
}

function nodesOf(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes)
    for (const child of node.children) if (typeof child === 'object') nodes.push(child);
  return nodes;
}

export interface MmdbOptions {
  /** Such as `GeoLite2-City`. */
  type: string;
  version?: 4 | 6;
}

/** Returns the bytes of a database that holds a record for each network. */
export function mmdb(records: Record<string, Value>, { type, version = 6 }: MmdbOptions): Buffer {
  const root = newNode();
  const data: Buffer[] = [];
  let size = 0;
  for (const [network, record] of Object.entries(records)) {
    insert(root, bitsOf(network, version), size);
    const bytes = encode(record);
    data.push(bytes);
    size += bytes.length;
  }
  const nodes = nodesOf(root);
  const numbers = new Map(nodes.map((node, at) => [node, at]));
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [at, { children }] of nodes.entries())
    for (const [side, child] of children.entries()) {
      const target =
        child === undefined
          ? nodes.length
          : typeof child === 'number'
            ? nodes.length + 16 + child
            : (numbers.get(child) ?? 0);
      tree.writeUIntBE(target, at * 6 + side * 3, 3);
    }
  const metadata = encode({
    binary_format_major_version: uint(2),
    binary_format_minor_version: uint(0),
    build_epoch: uint(1_780_000_000),
    database_type: type,
    description: { en: 'A test database' },
    ip_version: uint(version),
    languages: ['en'],
    node_count: uint(nodes.length),
    record_size: uint(24),
  });
  const marker = Buffer.from('ABCDEF4D61784D696E642E636F6D', 'hex');
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

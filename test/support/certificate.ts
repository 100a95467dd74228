import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes one DER element (ITU-T X.690): tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}

const [boolean, integer, bitString, octetString, oid, utf8, sequence, set, utcTime] = [
  0x01, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x30, 0x31, 0x17,
] as const;
const id = (hex: string) => der(oid, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = id('2a8648ce3d040302');
const [commonName, basicConstraints, subjectAltName] = [
  id('550403'),
  id('551d13'),
  id('551d11'),
] as const;
const bits = (content: Buffer) => der(bitString, Buffer.from([0]), content);
const time = (ms: number) =>
  der(utcTime, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n` +
  `-----END ${label}-----\n`;

/**
 * Creates a key and a self-signed certificate (RFC 5280) for 127.0.0.1 and localhost, both PEM. It
 * is valid from twelve hours ago for one day.
 */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(sequence, ecdsaWithSha256);
  const name = der(
    sequence,
    der(set, der(sequence, commonName, der(utf8, Buffer.from('mail server of a test')))),
  );
  const isAuthority = der(
    sequence,
    basicConstraints,
    der(boolean, Buffer.from([0xff])),
    der(octetString, der(sequence, der(boolean, Buffer.from([0xff])))),
  );
  const names = der(
    sequence,
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x82, Buffer.from('localhost')),
  );
  const extensions = der(
    0xa3,
    der(sequence, isAuthority, der(sequence, subjectAltName, der(octetString, names))),
  );
  const serial = der(integer, Buffer.from([1]), randomBytes(8));
  const validity = der(sequence, time(Date.now() - 43_200_000), time(Date.now() + 43_200_000));
  const content = der(
    sequence,
    der(0xa0, der(integer, Buffer.from([2]))),
    serial,
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const cert = der(sequence, content, algorithm, bits(sign('sha256', content, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', cert),
  };
}

/** Beginnings of URIs by their code (NFC Forum URI Record Type Definition 1.0, table 3). */
export const uriPrefixes: readonly string[] = [
  '',
  'http://www.',
  'https://www.',
  'http://',
  'https://',
  'tel:',
  'mailto:',
  'ftp://anonymous:anonymous@',
  'ftp://ftp.',
  'ftps://',
  'sftp://',
  'smb://',
  'nfs://',
  'ftp://',
  'dav://',
  'news:',
  'telnet://',
  'imap:',
  'rtsp://',
  'urn:',
  'pop:',
  'sip:',
  'sips:',
  'tftp:',
  'btspp://',
  'btl2cap://',
  'btgoep://',
  'tcpobex://',
  'irdaobex://',
  'file://',
  'urn:epc:id:',
  'urn:epc:tag:',
  'urn:epc:pat:',
  'urn:epc:raw:',
  'urn:epc:',
  'urn:nfc:',
];

/** The code of the longest prefix of a URI. */
export function uriPrefixCode(uri: string): number {
  let best = 0;
  for (const [code, prefix] of uriPrefixes.entries())
    if (uri.startsWith(prefix) && prefix.length > (uriPrefixes[best] ?? '').length) best = code;
  return best;
}

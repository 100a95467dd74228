import type { QrContentOf } from './contents.ts';

const escape = (value: string): string => value.replace(/[\\;,:"]/g, String.raw`\$&`);

/**
 * Scanners take a name of hexadecimal digits for its bytes, unless it is in quotes. Passwords need
 * none: WPA's have at most 63 characters, and as bytes exactly 64; WEP's differ in length, too.
 */
const quoteHex = (ssid: string): string => (/^[0-9a-f]+$/i.test(ssid) ? `"${ssid}"` : escape(ssid));

/** The members of a network's authentication, by their names in the text. */
function authMembers(content: QrContentOf<'wifi'>): [string, string | undefined][] {
  switch (content.auth) {
    case 'nopass':
      return [];
    case 'WPA':
    case 'WEP':
      return [['P', content.password]];
    case 'WPA2-EAP':
      return [
        ['E', content.eap_method],
        ['PH2', content.phase2_method],
        ['A', content.anonymous_identity],
        ['I', content.identity],
        ['P', content.password],
      ];
  }
}

/** `WIFI:T:WPA;S:Guests;P:secret;;`, as in ZXing's "Barcode Contents". */
export function wifiText(content: QrContentOf<'wifi'>): string {
  const members = authMembers(content)
    .filter((member): member is [string, string] => member[1] !== undefined)
    .map(([name, value]) => `${name}:${escape(value)};`);
  const hidden = content.hidden === true ? 'H:true;' : '';
  return `WIFI:T:${content.auth};S:${quoteHex(content.ssid)};${members.join('')}${hidden};`;
}

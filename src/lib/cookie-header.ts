/** What may stand around a cookie (RFC 6265 §5.2). `trim` takes more: a name behind a no-break space is not under the rules of `__Host-`. */
const spaces = /^[ \t]+|[ \t]+$/g;

/** The values that a Cookie header gives for one name: more than one is an attack or a mistake. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return [];
  return header.split(';').map((pair) => pair.replace(spaces, '')).filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** Attributes of every cookie of ours; `Secure` is left out only where the service is reached by plain http. */
export function cookieAttributes(isHttps: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
}

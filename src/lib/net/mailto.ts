/** Percent-encodes everything that may have a meaning in a mailto URI (RFC 6068 §2). */
export const mailtoText = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** An address in a mailto URI, which may keep its `@`. */
export const mailtoAddress = (address: string): string =>
  mailtoText(address).replaceAll('%40', '@');

/** The mailto URI of an address, whose `?`, `&` or `%` begins nothing. */
export const mailtoUrl = (address: string): string => `mailto:${mailtoAddress(address)}`;

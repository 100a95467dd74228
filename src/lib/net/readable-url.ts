import { domainToUnicode } from 'node:url';

/** Escapes of what is not ASCII, in runs. */
const escapes = /(?:%[89a-f][\da-f])+/gi;
const unreadable = /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;
/** Letters that look like Latin ones. */
const lookalikes = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** The text of escapes; the escapes where they are no UTF-8, or hide what can't be seen. */
function textOf(run: string): string {
  try {
    const text = decodeURIComponent(run);
    return unreadable.test(text) ? run : text;
  } catch {
    return run;
  }
}

const isAmbiguous = (label: string): boolean =>
  lookalikes.test(label) && /\p{Script=Latin}/u.test(label);

/** A host in its own letters. Stays in punycode where a name mixes them with Latin lookalikes. */
export function readableHost(host: string): string {
  const text = domainToUnicode(host.replace(/:\d+$/, ''));
  if (text === '' || text.split('.').some(isAmbiguous)) return host;
  return text + (/:\d+$/.exec(host)?.[0] ?? '');
}

/**
 * A URL as people read it: `https://müller.example/für` for
 * `https://xn--mller-kva.example/f%C3%BCr`.
 */
export function readableUrl(url: string): string {
  const [, start = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]+)(.*)$/s.exec(url) ?? [];
  return start === '' ? url : start + readableHost(host) + rest.replace(escapes, textOf);
}

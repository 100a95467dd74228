/** The two media types of a response (GraphQL over HTTP). */
export const responseType = 'application/graphql-response+json';
export const jsonType = 'application/json';
export type AnswerType = typeof responseType | typeof jsonType;

interface Range {
  type: string;
  quality: number;
}

/** The media ranges of an Accept header (RFC 9110 §12.5.1), most preferred first. */
function rangesOf(accept: string): Range[] {
  const ranges = accept
    .split(',')
    .slice(0, 32)
    .flatMap((entry): Range[] => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      const quality = weight === undefined ? 1 : Number(weight.slice(2));
      return type === '' || !(quality >= 0) ? [] : [{ type, quality }];
    });
  return ranges.sort((a, b) => b.quality - a.quality);
}

const answers: Readonly<Partial<Record<string, AnswerType>>> = {
  [responseType]: responseType,
  [jsonType]: jsonType,
  'application/*': jsonType,
  '*/*': jsonType,
};

/** The media type of the response, by default JSON; undefined when the client accepts neither. */
export function negotiate(accept: string | undefined): AnswerType | undefined {
  if (accept === undefined || accept === jsonType || accept === '*/*' || accept.trim() === '')
    return jsonType;
  if (accept === responseType) return responseType;
  const ranges = rangesOf(accept);
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ type }) => type));
  return ranges
    .filter(({ quality }) => quality > 0)
    .map(({ type }) => answers[type])
    .find((type) => type !== undefined && !refused.has(type));
}

/** True when HTML is preferred to JSON, as by a browser that opens the path. */
export function prefersPage(accept: string | undefined): boolean {
  if (accept?.includes('text/html') !== true) return false;
  const ranges = rangesOf(accept).filter(({ quality }) => quality > 0);
  const rankOf = (types: readonly string[]) => ranges.findIndex(({ type }) => types.includes(type));
  const [page, data] = [
    rankOf(['text/html', 'application/xhtml+xml']),
    rankOf([responseType, jsonType]),
  ];
  return page !== -1 && (data === -1 || page < data);
}

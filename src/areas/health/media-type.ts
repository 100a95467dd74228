const healthType = 'application/health+json';

/** Returns the weight (RFC 9110 §12.4.2) of a type that an Accept header names explicitly. */
function weightOf(accept: string, type: string): number | undefined {
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()));
  const [, ...parameters] = ranges.find(([name]) => name === type) ?? [];
  if (!ranges.some(([name]) => name === type)) return undefined;
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return Number.isNaN(weight) ? 1 : weight;
}

/** Returns the health draft's media type if the client prefers it, else `application/json`. */
export function mediaTypeFor(accept: string | undefined): string {
  const wanted = weightOf(accept ?? '', healthType) ?? 0;
  const isWanted = wanted > 0 && wanted >= (weightOf(accept ?? '', 'application/json') ?? 0);
  return isWanted ? healthType : 'application/json';
}

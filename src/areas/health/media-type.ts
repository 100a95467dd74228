import { namesType, preferredType } from '../../lib/net/accept.ts';

const healthType = 'application/health+json';
const jsonType = 'application/json';

/** Returns the health draft's media type if the client names and prefers it, else JSON. */
export const mediaTypeFor = (accept: string | undefined): string =>
  namesType(accept, healthType)
    ? (preferredType(accept, [healthType, jsonType]) ?? jsonType)
    : jsonType;

import { requestErrors } from '../../errors/errors.ts';

/** Forms with a file have one field; browsers may add nothing else. */
const maxParts = 4;

const boundaryOf = (contentType: string): string | undefined =>
  /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)?.slice(1).find(Boolean);

function countParts(body: Buffer, boundary: string): number {
  const mark = Buffer.from(`--${boundary}`);
  let count = 0;
  for (let at = body.indexOf(mark); at !== -1 && count <= maxParts; count += 1)
    at = body.indexOf(mark, at + mark.length);
  return count;
}

/**
 * Reads the file of a field of a form (multipart/form-data, RFC 7578); undefined when none was
 * chosen. Node's own parser has no limits, so the number of parts is checked first; the route
 * limits the size. Throws `request.invalid`.
 */
export async function readFormFile(
  body: unknown,
  contentType: string | undefined,
  field: string,
): Promise<Buffer | undefined> {
  const type = contentType ?? '';
  const boundary = boundaryOf(type);
  // The last mark ends the body.
  if (!Buffer.isBuffer(body) || boundary === undefined || countParts(body, boundary) > maxParts)
    throw requestErrors.invalid();
  const response = new Response(body, { headers: { 'content-type': type } });
  // oxlint-disable-next-line typescript/no-deprecated -- only for bodies without limits
  const form = await response.formData().catch((cause: unknown) => {
    throw requestErrors.invalid({ cause });
  });
  const file = form.get(field);
  if (file === null || typeof file === 'string' || file.size === 0) return undefined;
  return Buffer.from(await file.arrayBuffer());
}

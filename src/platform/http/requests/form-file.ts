import { requestErrors } from '../../errors/errors.ts';

/** Of a form with a file and nothing else; browsers may add an empty one. */
const fewParts = 4;
/** Of any form with a file. */
const maxParts = 200;

const boundaryOf = (contentType: string): string | undefined =>
  /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)?.slice(1).find(Boolean);

function countParts(body: Buffer, boundary: string, most: number): number {
  const mark = Buffer.from(`--${boundary}`);
  let count = 0;
  for (let at = body.indexOf(mark); at !== -1 && count <= most; count += 1)
    at = body.indexOf(mark, at + mark.length);
  return count;
}

async function parse(body: unknown, contentType: string | undefined, most: number) {
  const type = contentType ?? '';
  const boundary = boundaryOf(type);
  // The last mark ends the body.
  if (!Buffer.isBuffer(body) || boundary === undefined || countParts(body, boundary, most) > most)
    throw requestErrors.invalid();
  const response = new Response(body, { headers: { 'content-type': type } });
  // oxlint-disable-next-line typescript/no-deprecated -- only for bodies without limits
  return response.formData().catch((cause: unknown) => {
    throw requestErrors.invalid({ cause });
  });
}

/** A file as it was uploaded, with the name that it had. */
export interface UploadedFile {
  bytes: Buffer;
  name: string;
}

async function fileIn(
  form: Awaited<ReturnType<typeof parse>>,
  field: string,
): Promise<UploadedFile | undefined> {
  const file = form.get(field);
  if (file === null || typeof file === 'string' || file.size === 0) return undefined;
  return { bytes: Buffer.from(await file.arrayBuffer()), name: file.name };
}

/**
 * Reads the file of a field of a form (multipart/form-data, RFC 7578); undefined when none was
 * chosen. Node's own parser has no limits, so the number of parts is checked first; the route
 * limits the size. Throws `request.invalid`.
 */
export const readFormFile = async (
  body: unknown,
  contentType: string | undefined,
  field: string,
): Promise<UploadedFile | undefined> => fileIn(await parse(body, contentType, fewParts), field);

/** Like `readFormFile`, with the texts of the other fields. A name that is repeated is a list. */
export async function readFormWithFile(
  body: unknown,
  contentType: string | undefined,
  field: string,
): Promise<{ file: UploadedFile | undefined; values: Record<string, string | string[]> }> {
  const form = await parse(body, contentType, maxParts);
  const values: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    const [first] = texts;
    if (first !== undefined) values[name] = texts.length === 1 ? first : texts;
  }
  return { file: await fileIn(form, field), values };
}

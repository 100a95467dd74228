import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { requestErrors } from '../errors/errors.ts';

const Position = z.tuple([z.string(), z.string()]);

/** Where a page ends: the sorted value of its last entry as text, and the entry's id. */
export interface ListPosition {
  value: string;
  id: string;
}

const signatureBytes = 12;

/**
 * Cursors of lists: opaque to clients, and valid only for the list that they come from. `list`
 * names it with its order and filters. The signature keeps clients from building on their format.
 */
export function createListCursors(key: Buffer) {
  const sign = (list: string, position: string): Buffer =>
    createHmac('sha256', key).update(`${list}\0${position}`).digest().subarray(0, signatureBytes);

  return {
    write(list: string, { value, id }: ListPosition): string {
      const position = JSON.stringify([value, id]);
      return Buffer.concat([sign(list, position), Buffer.from(position)]).toString('base64url');
    },

    /** Throws `request.cursor_invalid`. */
    read(list: string, cursor: string): ListPosition {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(signatureBytes).toString();
      const expected = sign(list, position);
      if (
        bytes.length <= signatureBytes ||
        !timingSafeEqual(bytes.subarray(0, signatureBytes), expected)
      )
        throw requestErrors.cursor_invalid();
      const [value, id] = Position.parse(JSON.parse(position));
      return { value, id };
    },
  };
}

export type ListCursors = ReturnType<typeof createListCursors>;

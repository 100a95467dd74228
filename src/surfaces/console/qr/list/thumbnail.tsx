import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { codePath } from '../qr-paths.ts';

/** A small picture of a code, whose name is written beside it. */
export const Thumbnail = ({ code }: { code: Pick<QrCodeView, 'id' | 'updated_at'> }): Html => (
  <img
    src={`${codePath(code.id)}/thumbnail?v=${Date.parse(code.updated_at)}`}
    alt=""
    width="40"
    height="40"
    loading="lazy"
  />
);

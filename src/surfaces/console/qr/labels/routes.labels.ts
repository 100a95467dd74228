import { z } from 'zod';
import { maxSheetCodes } from '../../../../areas/qr/drawing/sheet-layout.ts';
import { SheetBody } from '../../../../areas/qr/pictures/schemas.ts';
import { parseForm } from '../../forms.ts';
import { fileLimit } from '../../rate-limits.ts';
import { asAttachment } from '../../request-context.ts';
import { page } from '../../routes.pages.ts';
import { labelLayoutNames, labelLayouts } from './label-form.tsx';

const id = z.uuid().toLowerCase();
const LabelsQuery = z.object({
  batch_id: id.optional(),
  /** A code, and how many labels get it. */
  id: id.optional(),
  copies: z.coerce.number().int().min(1).max(maxSheetCodes).default(1),
  layout: z.enum(labelLayoutNames),
  columns: z.coerce.number().int().min(1).max(8).default(3),
  offset: z.coerce.number().int().min(0).optional(),
});

/** Labels as PDF: of the codes of a file, or of one code many times. */
export const qrLabelRoute = page({
  id: 'console.qr_labels',
  path: '/api/svc/console/qr/labels',
  summary: 'Console: labels with QR codes',
  query: LabelsQuery,
  errors: ['qr.not_found', 'qr.batch_not_found', 'qr.batch_running'],
  limit: fileLimit,
  async show({ qr, qrCodes }, { id: code, copies, layout, columns, ...ofFile }, { reply }) {
    if (code !== undefined) await qrCodes.service.get(code);
    const ids = code === undefined ? {} : { ids: Array.from({ length: copies }, () => code) };
    const body = parseForm(SheetBody, { ...ofFile, ...ids, ...labelLayouts[layout], columns });
    const sheet = await qr.prints.sheet(body);
    void reply.header('content-type', 'application/pdf');
    return asAttachment(reply, 'qr-codes.pdf').send(sheet);
  },
});

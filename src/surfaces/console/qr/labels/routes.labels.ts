import { z } from 'zod';
import { fileNameOf } from '../../../../areas/qr/codes/file-name.ts';
import { maxSheetCodes } from '../../../../areas/qr/drawing/sheet-layout.ts';
import { SheetBody } from '../../../../areas/qr/pictures/schemas.ts';
import { ListQuery } from '../../../../platform/resource/resource.ts';
import type { ConsoleServices } from '../../context.ts';
import { invalidForm, parseForm } from '../../forms.ts';
import { fileLimit } from '../../rate-limits.ts';
import { asAttachment } from '../../request-context.ts';
import { page } from '../../routes.pages.ts';
import { emptyable } from '../../schemas.ts';
import { texts } from '../texts/en.ts';
import { labelLayoutNames, labelLayouts } from './label-form.tsx';
import { labelsPage } from './labels-page.tsx';

const uuid = z.uuid().toLowerCase();
const LabelsQuery = z.object({
  batch_id: emptyable(uuid),
  /** Codes; of one, how many labels get it. */
  id: z.union([uuid, z.array(uuid).max(maxSheetCodes)]).optional(),
  copies: z.coerce.number().int().min(1).max(maxSheetCodes).default(1),
  /** Without it, the page with the form is shown. */
  layout: z.enum(labelLayoutNames).optional(),
  offset: z.coerce.number().int().min(0).optional(),
});
type LabelsQuery = z.output<typeof LabelsQuery>;

const pageSize = 100;

/** The ids of the newest codes, as many as fit into a document. */
async function newestIds({ qrCodes }: Pick<ConsoleServices, 'qrCodes'>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = ListQuery.parse({ limit: pageSize, sort: '-created_at', cursor });
    const { data, next_cursor: next } = await qrCodes.service.list(query);
    ids.push(...data.map(({ id }) => id));
    cursor = next ?? undefined;
  } while (cursor !== undefined && ids.length < maxSheetCodes);
  return ids.slice(0, maxSheetCodes);
}

/** Which codes a sheet has. Throws `console.form_invalid` where there are none. */
async function codesOf(services: ConsoleServices, query: LabelsQuery) {
  const { batch_id: batch, id, copies, offset } = query;
  if (batch !== undefined)
    return { batch_id: batch, ...(id === undefined ? {} : { ids: [id].flat() }), offset };
  const [first, ...others] = [id ?? (await newestIds(services))].flat();
  if (first === undefined) throw invalidForm(texts.labels.noCodes);
  const isOne = others.length === 0 && id !== undefined;
  return { ids: isOne ? Array.from({ length: copies }, () => first) : [first, ...others] };
}

/** Labels as PDF: of the codes of a file, of chosen ones, or of one code many times. */
export const qrLabelRoute = page({
  id: 'console.qr_labels',
  path: '/api/svc/console/qr/labels',
  summary: 'Console: labels with QR codes',
  query: LabelsQuery,
  errors: ['qr.not_found', 'qr.batch_not_found', 'qr.batch_running'],
  limit: fileLimit,
  async show(context, query, { reply }) {
    const { qr } = context;
    const { layout, id } = query;
    if (layout === undefined) return labelsPage(await qr.batches.list());
    const only = typeof id === 'string' ? await qr.codes.get(id) : undefined;
    const body = parseForm(SheetBody, {
      ...(await codesOf(context, query)),
      ...labelLayouts[layout],
    });
    const sheet = await qr.prints.sheet(body);
    void reply.header('content-type', 'application/pdf');
    const name = only === undefined ? 'qr-labels' : `${fileNameOf(only)}-labels`;
    return asAttachment(reply, `${name}.pdf`).send(sheet);
  },
});

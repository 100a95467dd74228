import { z } from 'zod';
import { FormValues } from '../../forms.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { withQuery } from '../../components/navigation.tsx';
import { contentTypes } from '../contents/content-types.ts';
import { drawnPart } from '../preview/drawn-part.ts';
import { codePath } from '../qr-paths.ts';
import { styleValuesOf } from '../style/style-form.ts';
import { bodyIn } from './new-form.ts';
import { newQrPage } from './new-page.tsx';
import { newQrView } from './new-view.ts';

const NewQuery = z.object({
  type: z.enum(contentTypes).default('url').catch('url'),
  style_of: z.uuid().toLowerCase().optional(),
});

/** The page that makes a code. */
export const createRoutes = [
  page({
    id: 'console.new_qr_code',
    path: '/api/svc/console/qr/new',
    summary: 'Console: new QR code',
    query: NewQuery,
    errors: ['qr.not_found'],
    async show(context, { type, style_of: styleOf }, { request }) {
      const view = await newQrView(context, { type, styleOf });
      const by = context.viewerOf(request).userId;
      const values = { type, code: view.code, ...styleValuesOf(view.style) };
      return newQrPage({ ...view, preview: await drawnPart(context, values, by) });
    },
  }),
  form({
    id: 'console.create_qr_code',
    path: '/api/svc/console/qr/new',
    summary: 'Form: create a QR code',
    body: z.object({ values: FormValues }),
    read: (values) => ({ values }),
    run: async (context, { values }, { by }) =>
      context.qr.codes.create(await bodyIn(values, context), by),
    to: (_input, { id }) => withQuery(codePath(id), { done: 'created' }),
  }),
];

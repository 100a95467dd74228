import { codeRoutes } from './code/routes.code.ts';
import { createRoutes } from './create/routes.create.ts';
import { qrFileRoutes } from './files/routes.files.ts';
import { qrLabelRoute } from './labels/routes.labels.ts';
import { listRoutes } from './list/routes.list.ts';
import { qrLogoRoutes } from './logos/routes.logos.ts';
import { previewRoute } from './preview/routes.preview.ts';

/** All pages of QR codes. */
export const qrRoutes = [
  ...listRoutes,
  ...createRoutes,
  previewRoute,
  ...qrFileRoutes,
  qrLabelRoute,
  ...qrLogoRoutes,
  ...codeRoutes,
];

import { defineResource } from '../../platform/resource/resource.ts';
import { QrCodeBody, qrCodeFilters, QrCodeView, UpdateQrCodeBody } from './schemas.ts';
import { texts } from './texts/en.ts';

/** QR codes, for admins. */
export const qrCodeResource = defineResource({
  name: 'qrCodes',
  type: 'QrCode',
  path: '/api/v1/qr-codes',
  tag: 'qr',
  scope: 'admin',
  view: QrCodeView,
  create: QrCodeBody,
  update: UpdateQrCodeBody,
  filters: qrCodeFilters,
  sorts: ['-created_at', '-updated_at', 'name'],
  searches: 'name, short link, target and campaign',
  notFound: 'qr.not_found',
  errors: { create: ['qr.code_taken'], update: ['qr.content_fixed'] },
  detailsOnly: ['rules', 'text', 'style', 'content'],
  columns: ['name', 'type', 'code', 'url', 'status', 'scans', 'last_scanned_at'],
  tones: {
    status: { active: 'ok', paused: 'neutral', scheduled: 'info', expired: 'bad', used_up: 'warn' },
  },
  consolePage: 'qr',
  // Files of codes have pages of their own.
  hasImportPage: false,
  texts: texts.codes,
});

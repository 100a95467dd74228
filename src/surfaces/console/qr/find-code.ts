import { QrCodeView } from '../../../areas/qr/schemas.ts';
import type { ConsoleServices } from '../context.ts';

/** A code by its id. Throws `qr.not_found`. */
export const findCode = async (
  { qrCodes }: Pick<ConsoleServices, 'qrCodes'>,
  id: string,
): Promise<QrCodeView> => QrCodeView.parse(await qrCodes.service.get(id));

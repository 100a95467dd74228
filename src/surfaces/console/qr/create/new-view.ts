import { codeLength } from '../../../../areas/qr/codes/code-length.ts';
import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import { newShortCode } from '../../../../lib/short-codes.ts';
import type { ConsoleServices } from '../../context.ts';
import type { ContentType } from '../contents/content-types.ts';
import { findCode } from '../find-code.ts';
import { choiceOf } from '../style/style-form.ts';
import type { NewQrView } from './new-page.tsx';
import type { Place } from './new-form.ts';

/** What the page of a new code shows. `styleOf`: a code whose style it begins with. */
export async function newQrView(
  services: Pick<ConsoleServices, 'qr' | 'qrCodes' | 'sites'> & Place,
  { type, styleOf }: { type: ContentType; styleOf?: string | undefined },
): Promise<Omit<NewQrView, 'preview'>> {
  const { qr, sites, baseUrl } = services;
  const model = styleOf === undefined ? undefined : await findCode(services, styleOf);
  return {
    type,
    code: newShortCode(codeLength),
    host: baseUrl.replace(/^https?:\/\//, ''),
    style: choiceOf(QrStyle.parse(model?.style ?? {}), model?.text),
    logos: await qr.logos.list(),
    sites: sites.list().map(({ key }) => key),
  };
}

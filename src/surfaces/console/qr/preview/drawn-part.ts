import { z } from 'zod';
import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import type { ConsoleServices } from '../../context.ts';
import { FormError, type FormValues, textOf } from '../../forms.ts';
import { readContent } from '../contents/content-form.ts';
import { pictureTextOf, type Place, styleIn } from '../create/new-form.ts';
import { findCode } from '../find-code.ts';
import { choiceIn, choiceOf, styleOf } from '../style/style-form.ts';
import { texts } from '../texts/en.ts';
import { noPreview, previewPart } from './preview-part.tsx';

const pixels = 280;

type Services = Pick<ConsoleServices, 'qr' | 'qrCodes'> & Place;

/** The code whose style a form changes. */
export const codeIn = (values: FormValues): string | undefined => {
  const id = textOf(values, 'code_id');
  return z.uuid().safeParse(id).data;
};

/** Draws what the form of a new code describes, or the style of an existing one. */
export async function drawnPart(services: Services, values: FormValues, by: string): Promise<Html> {
  const { qr } = services;
  const id = codeIn(values);
  try {
    if (id !== undefined) {
      const { text, style } = await findCode(services, id);
      const choice = choiceIn(values, choiceOf(QrStyle.parse(style), text));
      return previewPart(
        await qr.pictures.preview({ text, style: styleOf(choice, text) }, pixels, by),
        undefined,
      );
    }
    const given = readContent(values, services.baseOrigin);
    const text = await pictureTextOf(given, values, services);
    return previewPart(
      await qr.pictures.preview({ text, style: styleIn(values, text) }, pixels, by),
      given,
    );
  } catch (error) {
    if (error instanceof FormError) return noPreview(error.message);
    if (error instanceof AppError && error.status >= 500) return noPreview(texts.preview.busy);
    throw error;
  }
}

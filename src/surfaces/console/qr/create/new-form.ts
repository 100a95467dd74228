import { newShortCode } from '../../../../lib/short-codes.ts';
import { codeLength } from '../../../../areas/qr/codes/code-length.ts';
import { textOfBody } from '../../../../areas/qr/codes/views.ts';
import { QrCodeBody } from '../../../../areas/qr/schemas.ts';
import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import { FormError, type FormValues, textOf } from '../../forms.ts';
import { campaignIn, passwordIn, scheduleIn } from '../contents/condition-form.ts';
import { defaultNameOf, type GivenContent, readContent } from '../contents/content-form.ts';
import { rulesIn } from '../contents/rule-fields.tsx';
import { choiceIn, choiceOf, styleOf } from '../style/style-form.ts';
import { texts } from '../texts/en.ts';

/** Where the service is. */
export interface Place {
  baseUrl: string;
  baseOrigin: string;
}

const shortCodePattern = /^[a-z\d][a-z\d-]{2,63}$/;

/** The short link that the form asks for; undefined for none, or one that can't be. */
const shortCodeIn = (values: FormValues): string | undefined => {
  const code = textOf(values, 'code')?.toLowerCase();
  return code !== undefined && shortCodePattern.test(code) ? code : undefined;
};

const isDynamic = (values: FormValues): boolean => textOf(values, 'fixed') !== 'true';

/** What the picture of a new code contains, as far as the form says. */
export async function pictureTextOf(
  given: GivenContent,
  values: FormValues,
  { baseUrl }: Place,
): Promise<string> {
  const code = shortCodeIn(values) ?? newShortCode(codeLength);
  const { changes } = campaignIn(values);
  const body =
    given.kind === 'content'
      ? { content: given.content, dynamic: false, url: undefined }
      : {
          content: undefined,
          // A short link looks the same without its target.
          dynamic: given.kind === 'wrong' || isDynamic(values),
          url: given.kind === 'url' ? given.url : undefined,
        };
  return textOfBody({ ...changes, ...body }, code, baseUrl);
}

/** The style that the form has; plain without one. */
export const styleIn = (values: FormValues, text: string): QrStyle =>
  styleOf(choiceIn(values, choiceOf(QrStyle.parse({}), undefined)), text);

/** What only links have, and what is wrong with it. */
function linkParts(values: FormValues, { baseOrigin }: Place) {
  const isFixed = !isDynamic(values);
  const code = textOf(values, 'code')?.toLowerCase();
  const campaign = campaignIn(values);
  if (isFixed)
    return { members: { ...campaign.changes, dynamic: false }, problems: campaign.problems };
  const schedule = scheduleIn(values, baseOrigin);
  const password = passwordIn(values);
  const { rules, problems } = rulesIn(values, baseOrigin);
  for (const given of [campaign, schedule, password])
    for (const [name, problem] of given.problems) problems.set(name, problem);
  if (code !== undefined && !shortCodePattern.test(code))
    problems.set('code', texts.problems.shortCode);
  const members = { ...campaign.changes, ...schedule.changes, ...password.changes, rules, code };
  return { members, problems };
}

/**
 * The body of the API's call that creates what the form describes. Throws `console.form_invalid`
 * with what is wrong with each field.
 */
export async function bodyIn(values: FormValues, place: Place): Promise<QrCodeBody> {
  const given = readContent(values, place.baseOrigin);
  const link = given.kind === 'content' ? undefined : linkParts(values, place);
  const problems = new Map([
    ...(given.kind === 'wrong' ? given.problems : []),
    ...(link?.problems ?? []),
  ]);
  if (given.kind === 'wrong' || problems.size > 0)
    throw new FormError(texts.problems.lead, problems);
  const text = await pictureTextOf(given, values, place);
  return QrCodeBody.parse({
    name: textOf(values, 'name') ?? defaultNameOf(given),
    style: styleIn(values, text),
    ...(given.kind === 'url' ? { url: given.url } : { content: given.content }),
    ...link?.members,
  });
}

import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import { qrErrors } from '../errors.ts';
import type { QrCodeBody, QrCodeView, UpdateQrCodeBody } from '../schemas.ts';
import { publicUrlMessage } from '../../../lib/net/public-url.ts';

const refuse = (details: readonly ValidationDetail[]): void => {
  if (details.length > 0) throw new RequestValidationError(details);
};

function problemsOfTargets(body: UpdateQrCodeBody, ownOrigin: string): ValidationDetail[] {
  const targets: [(string | number)[], string | null | undefined][] = [
    [['url'], body.url],
    [['expired_url'], body.expired_url],
    ...(body.rules ?? []).map(({ url }, index): [(string | number)[], string] => [
      ['rules', index, 'url'],
      url,
    ]),
  ];
  return targets.flatMap(([path, url]) => {
    const problem = url == null ? undefined : publicUrlMessage(url, ownOrigin);
    return problem === undefined ? [] : [valueError(['body', ...path], problem)];
  });
}

const onlyDynamic = [
  'starts_at',
  'expires_at',
  'expired_url',
  'scan_limit',
  'password',
  'rules',
  'code',
] as const;

function problemsOfStatic(body: QrCodeBody): ValidationDetail[] {
  if (body.content === undefined && body.dynamic) return [];
  return onlyDynamic.flatMap((name) =>
    body[name] == null
      ? []
      : [valueError(['body', name], 'is for codes with a short link, and this one is static')],
  );
}

/** A sentence unless exactly one of both is there. */
const oneOf = (sentence: string, first: unknown, second: unknown): string | undefined => {
  if ((first === undefined) !== (second === undefined)) return undefined;
  return first === undefined ? `${sentence}.` : `${sentence}, not both.`;
};

function problemsOfContent({ url, content }: QrCodeBody): ValidationDetail[] {
  const which = oneOf('Send `url` or `content`', url, content);
  if (which !== undefined) return [valueError(['body', 'url'], which)];
  if (content?.type === 'url')
    return [valueError(['body', 'content', 'type'], 'Send `url` instead of this content.')];
  return [];
}

const inPicture = ['url', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];
const notStatic = new Set<string>([...inPicture, ...onlyDynamic]);

/**
 * Throws a RequestValidationError for targets that scans must not lead to, and `qr.content_fixed`
 * for changes that a static picture can't follow.
 */
export function checkChanges(
  body: UpdateQrCodeBody,
  { dynamic }: Pick<QrCodeView, 'dynamic'>,
  ownOrigin: string,
): void {
  refuse(problemsOfTargets(body, ownOrigin));
  if (
    !dynamic &&
    Object.entries(body).some(([name, value]) => value != null && notStatic.has(name))
  )
    throw qrErrors.content_fixed();
}

/** Throws a RequestValidationError for a new code whose members do not fit together. */
export const checkCode = (body: QrCodeBody, ownOrigin: string): void =>
  refuse([
    ...problemsOfContent(body),
    ...problemsOfStatic(body),
    ...problemsOfTargets(body, ownOrigin),
  ]);

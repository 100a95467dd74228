import { acceptFileForms } from '../../platform/http/body-parsers.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { readFormFile } from '../../platform/http/requests/form-file.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { sendFormAgain } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import { accountErrors } from '../../areas/identity/account/errors.ts';
import { maxAvatarBytes, ProfilePatch } from '../../areas/identity/account/schemas.ts';
import { editProfilePage, type ProfileField } from './profile-pages.tsx';
import { redirectDone } from './redirect-done.ts';
import type { AccountRoutesOptions } from './routes.account.ts';
import { formSchema, pageSchema, ProfileForm } from './schemas.ts';
import { texts } from './texts/en.ts';

/** Headers and boundaries of the form, beside the file. */
const formBytes = 16 * 1024;

const fieldNames: readonly ProfileField[] = ['name', 'locale', 'zoneinfo'];

/** An empty field of a form empties the field of the profile. */
const toPatch = (form: ProfileForm) =>
  ProfilePatch.safeParse(
    Object.fromEntries(fieldNames.map((name) => [name, form[name].trim() || null])),
  );

/** The form of the profile. */
export function profileForms(
  app: ZodApp,
  { ownAccount: { profiles }, guards, layout, clock }: AccountRoutesOptions,
): void {
  app.get(
    '/account/profile',
    {
      schema: pageSchema(
        'account.profile_page',
        'Page to edit your profile',
        'A form with your name, picture, language and time zone.',
      ),
    },
    async (request, reply) => {
      const profile = await profiles.show(guards.sessionOf(request).userId);
      const [name, locale, zoneinfo] = fieldNames.map((field) => profile[field] ?? '');
      const form = ProfileForm.parse({ name, locale, zoneinfo });
      return sendPage(reply, layout(editProfilePage(form)));
    },
  );

  app.post(
    '/account/profile',
    {
      config: { rateLimit: limit({ max: 60, seconds: 60 }) },
      schema: { ...formSchema('account.save_profile', 'the profile'), body: ProfileForm },
    },
    async (request, reply) => {
      const { success, data, error } = toPatch(request.body);
      if (!success) {
        const wrong = fieldNames.filter((name) =>
          error.issues.some(({ path }) => path[0] === name),
        );
        const refusal = new RequestValidationError(
          wrong.map((name) => valueError(['body', name], texts.editProfile.errors[name])),
        );
        const page = () => layout(editProfilePage(request.body, wrong));
        return sendFormAgain(refusal, request, reply, page);
      }
      const { userId } = guards.sessionOf(request);
      await profiles.change(userId, data, originOf(request, clock.now()));
      return redirectDone(reply, 'profile_saved');
    },
  );
}

/** The forms of the picture. */
export function pictureForms(
  app: ZodApp,
  { ownAccount: { avatars }, guards, clock }: AccountRoutesOptions,
): void {
  acceptFileForms(app);

  app.post(
    '/account/picture',
    {
      bodyLimit: maxAvatarBytes + formBytes,
      config: { rateLimit: limit({ max: 30, seconds: 300 }) },
      schema: formSchema('account.upload_picture', 'upload a picture'),
    },
    async (request, reply) => {
      const { body, headers } = request;
      const picture = await readFormFile(body, headers['content-type'], 'picture');
      if (picture === undefined) throw accountErrors.avatar_type();
      const { userId } = guards.sessionOf(request);
      await avatars.put(userId, picture, originOf(request, clock.now()));
      return redirectDone(reply, 'picture_uploaded');
    },
  );

  app.post(
    '/account/picture/remove',
    {
      config: { rateLimit: limit({ max: 60, seconds: 60 }) },
      schema: formSchema('account.remove_picture', 'remove the picture'),
    },
    async (request, reply) => {
      await avatars.remove(guards.sessionOf(request).userId, originOf(request, clock.now()));
      return redirectDone(reply, 'picture_removed');
    },
  );
}

import { limit } from '../../platform/http/limits/rate-limit.ts';
import { readFormFile } from '../../platform/http/requests/form-file.ts';
import { sendFormAgain } from '../../platform/ui/page-scope.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import { accountErrors } from '../../areas/identity/account/errors.ts';
import { maxAvatarBytes, ProfilePatch } from '../../areas/identity/account/schemas.ts';
import { editProfilePage, type ProfileField } from './profile-pages.tsx';
import { ProfileForm } from './schemas.ts';
import { texts } from './texts/en.ts';
import { form, page, redirectDone } from './routes.visits.ts';

/** Headers and boundaries of the form, beside the file. */
const formBytes = 16 * 1024;

const fieldNames: readonly ProfileField[] = ['name', 'zoneinfo'];

/** An empty field of a form empties the field of the profile. */
const toPatch = (form: ProfileForm) =>
  ProfilePatch.safeParse(
    Object.fromEntries(fieldNames.map((name) => [name, form[name].trim() || null])),
  );

/** The pages and forms of the profile and its picture. Their scope accepts files. */
export const profileRoutes = [
  page({
    path: '/account/profile',
    id: 'account.profile_page',
    summary: 'Page to edit your profile',
    contents: 'A form with your name and time zone.',
    show: async ({ account }, { session }) => {
      const view = await account.view(session);
      const [name, zoneinfo] = fieldNames.map((field) => view.profile[field] ?? '');
      return editProfilePage(view, ProfileForm.parse({ name, zoneinfo }));
    },
  }),
  form({
    path: '/account/profile',
    id: 'account.save_profile',
    summary: 'the profile',
    limit: { rateLimit: limit({ max: 60, seconds: 60 }) },
    body: ProfileForm,
    run: async ({ account, ownAccount, layout }, { session, from, body, request, reply }) => {
      const { success, data, error } = toPatch(body);
      if (success) {
        await ownAccount.profiles.change(session.userId, data, from);
        return redirectDone(reply, 'profile_saved');
      }
      const wrong = fieldNames.filter((name) => error.issues.some(({ path }) => path[0] === name));
      const refusal = new RequestValidationError(
        wrong.map((name) => valueError(['body', name], texts.editProfile.errors[name])),
      );
      const view = await account.view(session);
      const shown = () => layout(editProfilePage(view, body, wrong));
      return sendFormAgain(refusal, request, reply, shown);
    },
  }),
  form({
    path: '/account/picture',
    id: 'account.upload_picture',
    summary: 'upload a picture',
    limit: { rateLimit: limit({ max: 30, seconds: 300 }) },
    bodyLimit: maxAvatarBytes + formBytes,
    run: async ({ ownAccount }, { session, from, body, request }) => {
      const picture = await readFormFile(body, request.headers['content-type'], 'picture');
      if (picture === undefined) throw accountErrors.avatar_type();
      await ownAccount.avatars.put(session.userId, picture.bytes, from);
    },
    done: 'picture_uploaded',
  }),
  form({
    path: '/account/picture/remove',
    id: 'account.remove_picture',
    summary: 'remove the picture',
    limit: { rateLimit: limit({ max: 60, seconds: 60 }) },
    run: ({ ownAccount }, { session, from }) => ownAccount.avatars.remove(session.userId, from),
    done: 'picture_removed',
  }),
];

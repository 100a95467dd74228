import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { maxFooterLinks, maxLogoBytes, UpdateBrandBody } from '../../../areas/settings/schemas.ts';
import { dayMs, minuteMs } from '../../../lib/durations.ts';
import { accentColors, accentTokens, houseAccent } from '../../../platform/brand/accent.ts';
import { acceptFileForms } from '../../../platform/http/body-parsers.ts';
import { formatDateTime } from '../../../platform/i18n/dates.ts';
import { readFormFile } from '../../../platform/http/requests/form-file.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { withQuery } from '../components/navigation.tsx';
import { type FormValues, invalidForm, textOf } from '../forms.ts';
import { readSettings, shownSettings } from '../operations/settings.ts';
import { systemPage } from '../operations/settings-page.tsx';
import { fileLimit } from '../rate-limits.ts';
import { type ConsoleRoute, redirectTo } from '../request-context.ts';
import { formOptions } from '../route-options.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { accentNote } from './brand-preview.tsx';
import { brandPage } from './brand-page.tsx';
import { analyticsSettingsPage, generalPage, signInSettingsPage } from './general-page.tsx';
import { deviceSettingsPage } from './devices-page.tsx';
import { variablesOf } from './groups.ts';
import { messagesPage } from './messages-page.tsx';
import { liveRoutes } from './routes.live.ts';
import { settingsPath } from './settings-frame.tsx';
import { texts } from './texts/en.ts';

/** Headers and boundaries of the form, beside the file. */
const formBytes = 16 * 1024;

const BrandForm = UpdateBrandBody.pick({ name: true, accent: true, footer_text: true });
const OperatorForm = UpdateBrandBody.pick({
  contact_email: true,
  legal_name: true,
  legal_address: true,
});
const BrandFormWithLinks = BrandForm.extend({
  footer_links: UpdateBrandBody.shape.footer_links,
});

/** The links of the form; rows that are empty are left out. */
const linksOf = (values: FormValues) =>
  Array.from({ length: maxFooterLinks }, (_, at) => ({
    label: textOf(values, `link-label-${at}`) ?? '',
    url: textOf(values, `link-url-${at}`) ?? '',
  })).filter(({ label, url }) => label !== '' || url !== '');

/** The color field always has a value: that of the service means that none was chosen. */
const accentOf = (values: FormValues): string | null => {
  const accent = textOf(values, 'accent')?.toLowerCase() ?? houseAccent;
  return accent === houseAccent ? null : accent;
};

/** In its own instance, because only this form has a file. */
const logoRoute: ConsoleRoute = {
  path: '/api/svc/console/settings/logo',
  add(scope, { brandSettings }) {
    scope.register(async (app) => {
      acceptFileForms(app);
      app.post(
        '/api/svc/console/settings/logo',
        {
          ...formOptions('console.set_brand_logo', 'Form: upload the logo', {}),
          config: fileLimit,
          bodyLimit: maxLogoBytes + formBytes,
        },
        async (request, reply) => {
          const file = await readFormFile(request.body, request.headers['content-type'], 'logo');
          if (file === undefined) throw invalidForm(texts.brand.missing);
          await brandSettings.setLogo(file.bytes, requestActor(request));
          return redirectTo(reply, withQuery(settingsPath('brand'), { done: 'logo_saved' }));
        },
      );
    });
  },
};

const brandRoutes = [
  page({
    id: 'console.settings',
    path: '/api/svc/console/settings',
    summary: 'Console: brand',
    description: 'The name, logo, color and footer that visitors see, and a preview of them.',
    query: z.object({ done }),
    show: async ({ brandSettings, assets }, query) =>
      brandPage(await brandSettings.get(), { assets, done: query.done }),
  }),
  page({
    id: 'console.brand_colors',
    path: '/api/svc/console/settings/colors',
    summary: 'Console: the shades of an accent',
    query: z.object({ accent: z.string().regex(/^#[0-9a-f]{6}$/i) }),
    show: (_context, { accent }, { reply }) =>
      reply.send({ tokens: accentTokens(accentColors(accent)), note: accentNote(accent) }),
  }),
  form({
    id: 'console.update_brand',
    path: '/api/svc/console/settings/brand',
    summary: 'Form: change the brand',
    body: BrandFormWithLinks,
    read: (values) => ({ accent: accentOf(values), footer_links: linksOf(values) }),
    run: ({ brandSettings }, changes, { by }) => brandSettings.update(changes, by),
    to: settingsPath('brand'),
    done: 'saved',
  }),
  logoRoute,
  form({
    id: 'console.remove_brand_logo',
    path: '/api/svc/console/settings/logo/remove',
    summary: 'Form: remove the logo',
    run: ({ brandSettings }, _input, { by }) => brandSettings.removeLogo(by),
    to: settingsPath('brand'),
    done: 'logo_removed',
  }),
];

const operatorRoutes = [
  page({
    id: 'console.general_settings',
    path: '/api/svc/console/settings/general',
    summary: 'Console: general settings',
    query: z.object({ done }),
    async show({ brandSettings, liveSettings, settings }, query) {
      const [brand, live] = await Promise.all([brandSettings.get(), liveSettings.get()]);
      const own = variablesOf('general', shownSettings(settings));
      return generalPage({ brand, live, settings: own, done: query.done });
    },
  }),
  form({
    id: 'console.update_operator',
    path: '/api/svc/console/settings/general/save',
    summary: 'Form: change the operator',
    body: OperatorForm,
    run: ({ brandSettings }, changes, { by }) => brandSettings.update(changes, by),
    to: settingsPath('general'),
    done: 'saved',
  }),
];

const messageRoutes = [
  page({
    id: 'console.message_settings',
    path: '/api/svc/console/settings/messages',
    summary: 'Console: settings of messages',
    query: z.object({ done }),
    async show(context, query, { request, signal }) {
      const { guards, settings, channels, keptChannels: kept, messages, clock } = context;
      return messagesPage({
        settings: variablesOf('messages', shownSettings(settings)),
        to: guards.sessionOf(request).user.email ?? undefined,
        channels,
        kept,
        counts: await messages.countSince(new Date(clock.now() - dayMs), signal),
        done: query.done,
      });
    },
  }),
  form({
    id: 'console.send_test_mail',
    path: '/api/svc/console/settings/messages/test',
    summary: 'Form: send a test email to yourself',
    async run({ guards, messages, audit, clock, baseUrl }, _input, { request, by }) {
      const to = guards.sessionOf(request).user.email;
      if (to === null) throw invalidForm(texts.messages.noEmail);
      const at = clock.now();
      const url = `${baseUrl}${settingsPath('messages')}`;
      await messages.send({
        channel: 'email',
        to,
        template: 'test_message',
        params: { to, at: formatDateTime(at), url },
        key: `test-mail:${randomUUID()}`,
        expiresAt: at + 10 * minuteMs,
      });
      await audit.record({ ...by, action: 'settings.mail_tested' });
    },
    to: settingsPath('messages'),
    done: 'sent',
  }),
];

/** Pages of one subject each. */
const subjectRoutes = [
  page({
    id: 'console.sign_in_settings',
    path: '/api/svc/console/settings/sign-in',
    summary: 'Console: settings of sign-in',
    query: z.object({ done }),
    show: async ({ settings, liveSettings }, query) =>
      signInSettingsPage({
        settings: variablesOf('sign-in', shownSettings(settings)),
        live: await liveSettings.get(),
        done: query.done,
      }),
  }),
  page({
    id: 'console.analytics_settings',
    path: '/api/svc/console/settings/analytics',
    summary: 'Console: settings of analytics',
    query: z.object({ done }),
    show: async ({ settings, liveSettings }, query) =>
      analyticsSettingsPage({
        settings: variablesOf('analytics', shownSettings(settings)),
        live: await liveSettings.get(),
        done: query.done,
      }),
  }),
  page({
    id: 'console.device_settings',
    path: '/api/svc/console/settings/devices',
    summary: 'Console: settings of devices',
    show: async ({ settings, dashboard }, _query, { signal }) =>
      deviceSettingsPage({
        settings: variablesOf('devices', shownSettings(settings)),
        states: await dashboard.states(signal),
      }),
  }),
  page({
    id: 'console.system_settings',
    path: '/api/svc/console/settings/system',
    summary: 'Console: system',
    show(context) {
      const view = readSettings(context);
      return systemPage(view, variablesOf('system', view.settings));
    },
  }),
];

/** Settings: what can be changed here, and the variables of the environment. */
export const settingsRoutes: readonly ConsoleRoute[] = [
  ...brandRoutes,
  ...operatorRoutes,
  ...messageRoutes,
  ...subjectRoutes,
  ...liveRoutes,
];

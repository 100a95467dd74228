import type { HttpCall } from '../../../../platform/operations/call.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import type { Html } from '../../../../lib/text/html.ts';
import type { ConsolePage } from '../../layout.tsx';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { findCode } from '../find-code.ts';
import { drawnPart } from '../preview/drawn-part.ts';
import type { CodeTab } from '../qr-paths.ts';
import { choiceOf, styleValuesOf } from '../style/style-form.ts';
import { codeFrame } from './code-frame.tsx';
import { scansTab, type shownPeriods } from './scans-tab.tsx';
import { settingsTab } from './settings-tab.tsx';
import { styleTab } from './style-tab.tsx';
import { targetsTab } from './targets-tab.tsx';

/** Of the picture at the top, in pixels. */
const shownSize = 144;
const rows = 8;

export interface CodePageQuery {
  id: string;
  tab: CodeTab;
  period?: (typeof shownPeriods)[number];
  done?: string | undefined;
  /** A picture that is drawn already, for the tab of the style. */
  preview?: Html;
}

/** The result, or undefined while a store or a thread is too busy for it. */
const orUnavailable = async <Result,>(read: Promise<Result>): Promise<Result | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof AppError && error.status >= 500) return undefined;
    throw error;
  });

const drawnOf = ({ qr }: ConsoleRoutesOptions, code: QrCodeView): Promise<string | undefined> =>
  orUnavailable(
    qr.pictures
      .draw(code, { format: 'svg', size: shownSize, title: code.name })
      .then((picture) => picture.toString()),
  );

/** The page of a code with one of its tabs. Throws `qr.not_found`. */
export async function codePage(
  context: ConsoleRoutesOptions,
  { id, tab, period = '30d', done, preview }: CodePageQuery,
  { requester, request }: HttpCall,
): Promise<ConsolePage> {
  const { qr, sites } = context;
  const code = await findCode(context, id);
  const view = { code, tab, done, svg: await drawnOf(context, code) };
  if (tab === 'style') {
    const by = context.viewerOf(request).userId;
    const choice = choiceOf(QrStyle.parse(code.style), code.text);
    const drawn =
      preview ?? (await drawnPart(context, { code_id: id, ...styleValuesOf(choice) }, by));
    return codeFrame(view, styleTab({ ...view, logos: await qr.logos.list(), preview: drawn }));
  }
  if (tab === 'settings')
    return codeFrame(view, settingsTab({ ...view, sites: sites.list().map(({ key }) => key) }));
  if (tab === 'targets' && code.dynamic)
    return codeFrame(view, targetsTab({ ...view, former: await qr.targets.list(id) }));
  const timezone = sites.peek(code.site_id)?.settings.timezone ?? 'UTC';
  const query = { period, timezone, limit: rows };
  const stats = code.dynamic ? await orUnavailable(qr.stats.get(id, query, requester)) : undefined;
  return codeFrame(view, scansTab({ ...view, stats, period }));
}

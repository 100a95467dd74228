import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { qrCodeResource } from '../../../../areas/qr/resource.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { type Content, escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { Switch } from '../../../../platform/ui/components/switch.tsx';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Time } from '../../../../platform/ui/time.tsx';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { typeIcons } from '../contents/content-types.ts';
import { dataUrl } from '../preview/preview-part.tsx';
import { type CodeTab, codePath, qrBreadcrumbs } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { codeActions } from './code-menu.tsx';
import { contentLine } from './content-facts.ts';
import type { CodeView } from './code-view.ts';

const words = texts.code;

/** The switch, and a state that the switch alone does not say. */
function state({ code, tab }: CodeView): Html | undefined {
  if (!code.dynamic) return undefined;
  const { id, active, status } = code;
  const isPlain = status === 'active' || status === 'paused';
  return (
    <div class="btn-row">
      <form method="post" action={`${codePath(id)}/active`} data-send>
        <input type="hidden" name="active" value={active ? 'false' : 'true'} />
        <input type="hidden" name="tab" value={tab} />
        <Switch name={words.switch} label={active ? words.on : words.off} isOn={active} />
      </form>
      {!isPlain && (
        <Badge
          text={words.states[status]}
          tone={qrCodeResource.tones?.status?.[status] ?? 'neutral'}
        />
      )}
    </div>
  );
}

const targetForm = ({ code: { id, url }, tab }: CodeView): Html => (
  <ConsoleForm
    action={`${codePath(id)}/target`}
    values={{ tab }}
    submit={{ label: words.saveTarget, kind: 'secondary' }}
    isInline
    attributes={{ class: 'form form-inline target-form' }}
  >
    <Field
      id="code-target"
      name="url"
      label={words.target}
      value={readableUrl(url ?? '')}
      maxLength={2048}
      attributes={{ inputmode: 'url', spellcheck: 'false' }}
    />
  </ConsoleForm>
);

/** How often it was scanned, when last, and for what. */
const scanLine = ({ scans, last_scanned_at: last, utm_campaign: campaign }: QrCodeView): Html => (
  <p class="hint">
    {scans !== null && escapeHtml(words.scans({ scans, count: formatNumber(scans) }))}
    {last !== null && (
      <>
        {' · '}
        {escapeHtml(words.lastScan)} <Time at={last} />
      </>
    )}
    {campaign !== null && escapeHtml(` · ${words.campaign({ campaign })}`)}
  </p>
);

const contentSummary = ({ type, content, url }: QrCodeView): Html => (
  <p class="code-content">
    <Icon name={typeIcons[type]} />
    <strong>{escapeHtml(texts.content[type].name)}</strong>
    <span>{escapeHtml(content === null ? readableUrl(url ?? '') : contentLine(content))}</span>
  </p>
);

const head = (view: CodeView): Html => {
  const { code, svg } = view;
  return (
    <section class="tile code-head" aria-label={words.head}>
      <div class="code-picture">
        {svg !== undefined && (
          <img
            src={dataUrl(svg)}
            width="144"
            height="144"
            alt={words.pictureOf({ name: code.name })}
          />
        )}
      </div>
      <div class="code-facts">
        {code.short_url === null ? (
          <>
            {contentSummary(code)}
            <p class="hint" safe>
              {words.staticHint}
            </p>
          </>
        ) : (
          <>
            <Copy text={code.short_url} label={words.link} />
            {targetForm(view)}
            {scanLine(code)}
          </>
        )}
      </div>
      {state(view)}
    </section>
  );
};

const tabsOf = ({ code, tab }: CodeView): Html => {
  const shown: readonly CodeTab[] = code.dynamic
    ? ['scans', 'targets', 'style', 'settings']
    : ['scans', 'style', 'settings'];
  return (
    <Tabs
      label={words.tabsLabel}
      links={shown.map((each) => ({
        href: codePath(code.id, each),
        text: each === 'scans' && !code.dynamic ? words.tabs.content : words.tabs[each],
        isCurrent: each === tab,
      }))}
    />
  );
};

/** A form that undoes what the notice says, where it can be undone. */
function undoOf({ code: { id, active }, done, tab }: CodeView): Html | undefined {
  const undo = (action: string, values: Record<string, string>): Html => (
    <ActionButton
      action={`${codePath(id)}/${action}`}
      label={words.undo}
      kind="ghost"
      icon="undo"
      values={{ ...values, tab }}
    />
  );
  if (done === 'paused' || done === 'resumed') return undo('active', { active: String(!active) });
  const isTarget = done === 'target' || done === 'rule_deleted';
  return isTarget ? undo('restore', {}) : undefined;
}

/** The page of a code around its tab: picture, short link, target, switch, downloads. */
export const codeFrame = (view: CodeView, body: Content): ConsolePage => ({
  section: 'qr',
  title: view.code.name,
  breadcrumbs: qrBreadcrumbs,
  notice: doneNotice(words.notices, view.done, { undo: undoOf(view) }),
  actions: codeActions(view.code),
  body: (
    <>
      {head(view)}
      {tabsOf(view)}
      {body}
    </>
  ),
});

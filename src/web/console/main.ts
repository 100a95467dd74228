import { enableCharts } from '../page/chart-focus.ts';
import { element } from '../page/elements.ts';
import { localizeTimes } from '../page/local-times.ts';
import { showCurrentLinks } from '../page/current-link.ts';
import { addCopyButtons, installCopying } from '../page/copy-text.ts';
import { installInserts } from './insert-text.ts';
import { holdDeferred, installDeferred } from './deferred.ts';
import { createDeviceFetch } from './device-proof.ts';
import { enhanceFileFields } from './file-fields.ts';
import { installDrawerLinks } from './forms/drawer-links.ts';
import { installSentForms } from './forms/sent-forms.ts';
import { installLiveParts } from './live/live-parts.ts';
import { startLive } from './live/start-live.ts';
import { createNeeds, loadWhenReached, once } from './on-demand.ts';
import { showOneByOne } from './one-by-one.ts';
import { installPaletteOpener } from './palette/opener.ts';
import { installPopoverFocus } from './popover-focus.ts';
import { addSelectAll, installRowSelection, showSelections } from './row-selection.ts';
import { installOwnZone, localizeTimeFields, offerOwnZone, sendLocalTimes } from './times.ts';

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Shows a notice at the top of the page; screen readers read it out. */
function showNotice(text: string, isError = false): void {
  const notice = find('#notice');
  const look = `toast bar-note bar-note-${isError ? 'bad' : 'ok'}`;
  notice?.replaceChildren(element('p', { class: look }, text));
  notice?.scrollIntoView({ block: 'nearest' });
}

/** Announces to screen readers what is already visible. */
function announce(text: string): void {
  find('#said')?.replaceChildren(text);
}

const deviceFetch = createDeviceFetch();
const channels = find('main')?.dataset.channels?.split(' ') ?? [];

const livePreview = () => import('./live-preview.ts');
const fileDrop = () => import('./file-drop.ts');
const lateParts = () => import('./late-parts.ts');
const loadNeeds = createNeeds([
  ['form[data-preview]', async () => (await livePreview()).installLivePreviews(deviceFetch)],
  ['.drop-zone', async () => (await fileDrop()).installFileDrops(deviceFetch)],
  ['.own-color', async () => (await fileDrop()).installOwnColors()],
  ['[data-suggest]', async () => (await import('./suggest.ts')).installSuggestions(deviceFetch)],
  ['form[data-brand]', async () => (await import('./brand-preview.ts')).installBrandPreview()],
  ['[data-late]', async () => (await lateParts()).installLateParts(deviceFetch, enhance)],
  ['[data-days]', async () => (await import('./local-days.ts')).localizeDays(document)],
  ['#nfc-writer', async () => (await import('./nfc/nfc-writer.ts')).installNfcWriter()],
]);

/** Adds the scripted features to a part of the page. */
function enhance(part: ParentNode): void {
  localizeTimes(part);
  localizeTimeFields(part);
  addSelectAll(part);
  offerOwnZone(part);
  addCopyButtons(part);
  enhanceFileFields(part);
  enableCharts(part);
  showOneByOne(part);
  showCurrentLinks(part, '.tab-bar, .settings-nav ul');
  holdDeferred(part);
  loadNeeds(part);
}

const sender = once(async () => {
  const { createFormSender } = await import('./forms/send-form.ts');
  return createFormSender(deviceFetch, showNotice, enhance);
});
const drawers = once(async () => {
  const { openDrawer } = await import('./forms/drawer.ts');
  return (link: HTMLAnchorElement) => openDrawer(link, deviceFetch, { enhance, onClosed: refresh });
});
const palette = once(async () => {
  const { createPalette } = await import('./palette/palette.ts');
  return createPalette(deviceFetch, announce);
});
const chartTips = async (reached: Event) =>
  (await import('../page/chart-tips.ts')).installChartTips(reached);

enhance(document);
installRowSelection();
installPopoverFocus();
installDeferred();
installInserts();
installOwnZone();
sendLocalTimes();
installCopying(announce);
installPaletteOpener(async () => (await palette())());
installSentForms(sender);
installDrawerLinks(drawers);
loadWhenReached([
  ['.chart .plot', chartTips],
  ['a[data-drawer]', drawers],
  ['form[data-send]', sender],
  ['#open-palette', palette],
]);
const refresh = installLiveParts(deviceFetch, { enhance, onRefreshed: showSelections });
void startLive({
  channels,
  onMessage: ({ channel }) => {
    if (channels.includes(channel)) refresh();
  },
  showNotice,
});

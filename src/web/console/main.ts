import { enableCharts, installChartTips } from '../page/chart-tips.ts';
import { element } from '../page/elements.ts';
import { installBrandPreview } from './brand-preview.ts';
import { addCopyButtons, installCopying } from './copying.ts';
import { createDeviceFetch } from './device-proof.ts';
import { installDrawers } from './drawer.ts';
import { feedEvents } from './event-feed.ts';
import { installFileDrops, installOwnColors } from './file-drop.ts';
import { enhanceFileFields } from './file-fields.ts';
import { sendForms } from './forms.ts';
import { startInspector } from './inspector/inspector.ts';
import { installLiveParts } from './live-parts.ts';
import { installLivePreviews } from './live-preview.ts';
import { createLiveSocket } from './live-socket.ts';
import { showOneByOne } from './one-by-one.ts';
import { installNfcWriter } from './nfc/nfc-writer.ts';
import { installPopoverFocus } from './popover-focus.ts';
import { installPalette } from './palette/palette.ts';
import { installSuggestions } from './suggest.ts';
import { addSelectAll, installRowSelection, showSelections } from './row-selection.ts';
import {
  installOwnZone,
  localizeTimeFields,
  localizeTimes,
  offerOwnZone,
  sendLocalTimes,
} from './times.ts';

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
}

const deviceFetch = createDeviceFetch();
const channels = find('main')?.dataset.channels?.split(' ') ?? [];
enhance(document);
installChartTips();
installRowSelection();
installPopoverFocus();
installOwnZone();
sendLocalTimes();
installFileDrops(deviceFetch);
installOwnColors();
installLivePreviews(deviceFetch);
installCopying(announce);
installPalette(deviceFetch, announce);
installSuggestions(deviceFetch);
sendForms(deviceFetch, showNotice, enhance);
installNfcWriter();
installBrandPreview();
const refresh = installLiveParts(deviceFetch, { enhance, onRefreshed: showSelections });
installDrawers(deviceFetch, { enhance, onClosed: refresh });
const live = createLiveSocket(channels);
live.onMessage(({ channel }) => {
  if (channels.includes(channel)) refresh();
});
feedEvents(live);
startInspector(live, showNotice);

import { createAnnouncer } from '../page/announcer.ts';
import { showCurrentLinks } from '../page/current-link.ts';
import { focusOnSlash } from '../page/slash-key.ts';
import { installCopying } from './copying.ts';
import { installSearch } from './search-form.ts';
import { installTabs } from './tabs.ts';
import { installTryIt } from './try-it.ts';

const announce = createAnnouncer();
installTabs();
if (document.querySelector('#fold-filter'))
  void import('../page/fold-filter.ts').then(({ installFoldFilter }) => installFoldFilter());
// The list of pages at the side is longer than the window.
showCurrentLinks(document, '.side');
installCopying(announce);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-index]'))
  installSearch(form, announce);
focusOnSlash(() => document.querySelector<HTMLElement>('form[data-index] input'));
// The page is complete without this feature.
installTryIt().catch(() => undefined);

import { installCopying } from './developer-copy.ts';
import { createAnnouncer } from './developer-elements.ts';
import { enliven, listenForSlash } from './developer-find.ts';
import { installTabs } from './developer-tabs.ts';
import { installTrying } from './developer-try.ts';

const announce = createAnnouncer();
installTabs();
installCopying(announce);
for (const form of document.querySelectorAll<HTMLFormElement>('form.find')) enliven(form, announce);
const field = document.querySelector<HTMLElement>('form.find input');
if (field !== null) listenForSlash(field);
// The page is whole without it.
installTrying().catch(() => undefined);

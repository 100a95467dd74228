import { createAnnouncer } from '../page/announcer.ts';
import { installCodeCopying } from '../page/copy-code.ts';
import { addCopyButtons, installCopying } from '../page/copy-text.ts';
import { localizeTimes } from '../page/local-times.ts';

// The script of the public pages with something to copy.
const announce = createAnnouncer();
installCodeCopying(announce);
addCopyButtons(document);
installCopying(announce);
localizeTimes(document);

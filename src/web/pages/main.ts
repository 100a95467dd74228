import { createAnnouncer } from '../page/announcer.ts';
import { installCodeCopying } from '../page/copy-code.ts';

// The script of the public pages with code blocks.
installCodeCopying(createAnnouncer());

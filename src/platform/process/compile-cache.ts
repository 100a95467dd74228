import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('./compile-cache/', import.meta.url));

// From Node 22.8 on, V8 keeps what it compiled for the next start. Beside the built files, because
// whoever can write to it runs code in the service: the folder for temporary files is no place.
const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
if (typeof enable === 'function') Reflect.apply(enable, undefined, [directory]);

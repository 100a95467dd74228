import { setFlagsFromString } from 'node:v8';

// V8 tracks which allocation sites create long-lived objects and then allocates directly in old
// space there. At startup it learns from objects that are created once and kept; the same sites
// then allocate the objects of every request in old space, where they keep the young objects that
// they reference alive, and every few seconds a mark-sweep takes 20 to 70 ms. This has to run
// before any other code.
setFlagsFromString('--no-allocation-site-pretenuring');

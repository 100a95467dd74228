import { setFlagsFromString } from 'node:v8';

// V8 notes which lines of code make objects that live long, and lets them make all later ones in
// old space at once. Here it learns that at start, from what is made once and kept for good; the
// same lines then put the objects of every request into old space, each keeps the young ones it
// points to, and every few seconds old space is marked and swept for 20 to 70 ms. This has to run
// before anything else does.
setFlagsFromString('--no-allocation-site-pretenuring');

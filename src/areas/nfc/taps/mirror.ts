import { mirrorParameter } from '../sheet.ts';

/** What an NTAG 21x mirrors: its UID and its counter, without any proof. */
export interface Mirror {
  uid: string;
  counter: number;
}

const pattern = /^([\dA-F]{14})x([\dA-F]{6})$/;

/** Reads the mirror of an NTAG 21x from a query; undefined unless it stands there once. */
export function readMirror(query: string): Mirror | undefined {
  const [value, repeated] = query
    .split('&')
    .filter((pair) => pair.startsWith(`${mirrorParameter}=`))
    .map((pair) => pair.slice(mirrorParameter.length + 1));
  const [, uid, counter] = pattern.exec(value ?? '') ?? [];
  return uid === undefined || counter === undefined || repeated !== undefined
    ? undefined
    : { uid, counter: Number.parseInt(counter, 16) };
}

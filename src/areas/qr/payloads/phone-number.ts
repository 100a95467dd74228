/** `+44 20 7946 0000` as `+442079460000`. */
export const dialable = (number: string): string => number.replace(/[^\d+]/g, '');

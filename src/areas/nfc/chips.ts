/** The chips that tags may have, with the bytes of their NDEF memory or file. */
export const chips = {
  ntag213: { tagType: 2, capacity: 144, configurationPage: 0x29 },
  ntag215: { tagType: 2, capacity: 504, configurationPage: 0x83 },
  ntag216: { tagType: 2, capacity: 888, configurationPage: 0xe3 },
  ntag424: { tagType: 4, capacity: 256 },
  ntag424_tt: { tagType: 4, capacity: 256 },
} as const;

export type Chip = keyof typeof chips;

/** An NTAG 21x, whose mirror anybody can copy. */
export type MirrorChip = Exclude<Chip, 'ntag424' | 'ntag424_tt'>;

export const isMirrorChip = (chip: Chip): chip is MirrorChip => chips[chip].tagType === 2;

/** What proves a tap: nothing; a copyable mirror; a secure message. */
export type Mode = 'plain' | 'mirror' | 'sun';

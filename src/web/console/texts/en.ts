/** The texts that the script adds to every page of the console. */
export const texts = {
  times: {
    useZone: (p: { zone: string }) => `Use ${p.zone}`,
    inZone: (p: { zone: string }) => `Times are in your time zone, ${p.zone}.`,
  },
  selection: {
    all: 'Select all',
    selected: (p: { selected: number }) => `${p.selected} selected`,
  },
};

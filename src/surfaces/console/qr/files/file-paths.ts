import { qrPath } from '../qr-paths.ts';

export const filesPath = `${qrPath}/files`;
export const newFilePath = `${filesPath}/new`;
export const exampleFilePath = `${filesPath}/example`;

/** The page of one file. */
export const filePath = (id: string): string => `${filesPath}/${id}`;

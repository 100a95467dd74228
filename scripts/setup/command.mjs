import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const usualFolders = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/opt/homebrew/bin',
  '/snap/bin',
];

/**
 * Returns the path of the first of `names` that is an executable file on PATH, in the usual folders
 * or in `folders`; else undefined.
 */
export function findProgram(names, folders = []) {
  const searched = [
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
    ...usualFolders,
    ...folders,
  ];
  for (const name of names) {
    const found = searched.map((folder) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs a program without input. Resolves to { code, output }, with the end of both streams in
 * `output`. Never rejects.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const collect = (chunk) => (output = (output + chunk).slice(-64 * 1024));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

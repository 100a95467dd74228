import { exportCommand } from './export/command.ts';
import { runAsProcess } from './service/command.ts';

await runAsProcess(exportCommand);

import { importCommand } from './import/command.ts';
import { runAsProcess } from './service/command.ts';

await runAsProcess(importCommand);

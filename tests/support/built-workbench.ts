import { copyFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { buildScript } from './bundled-script';
import { oncePerRun } from './once-per-run';

/**
 * Packages that load files next to their code; they are resolved from a folder within the project. All others are part of
 * what is built: a start that reads a hundred files of theirs takes a fifth longer.
 */
const EXTERNAL = ['@lydell/node-pty', 'lowdb', 'pdfkit', 'fontkit', 'yauzl'];

/**
 * The programs of the workbench, built from the sources as they are, in a project folder of their own: for tests that
 * run its terminal, kill it, or open it with real trainers and servers. Answers the folder, which nobody changes.
 */
export function buildWorkbench(): Promise<string> {
  return oncePerRun('workbench', async (project) => {
    await symlink(resolve('resources'), join(project, 'resources'));
    await symlink(resolve('package.json'), join(project, 'package.json'));
    const outDir = join(project, 'out', 'main');
    const programs = {
      cli: 'main/cli/main.ts',
      'pretrain-pocket': 'main/studies/pretrain-pocket.ts',
      'pocket-trainer': 'main/trainer/program.ts',
      'table-program': 'main/benchmarks/table-program.ts',
    };
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: true,
        outDir,
        emptyOutDir: false,
        target: 'node20',
        minify: false,
        rollupOptions: {
          input: programs,
          // As in electron.vite.config.ts: our modules do nothing when they are loaded.
          treeshake: { moduleSideEffects: (id) => id.includes('/node_modules/') },
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
      ssr: { noExternal: true, external: EXTERNAL },
    });
    // They are copied to machines alone, so all of each is one file.
    await copyFile(await buildScript('main/servers/model-server.ts'), join(outDir, 'model-server.js'));
    await copyFile(await buildScript('main/grader-service/program.ts'), join(outDir, 'grader-service.js'));
  });
}

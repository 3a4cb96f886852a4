import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { build, type Plugin } from 'vite';
import { temporaryFolder } from './temporary-folder';

/** One of the "how to add" recipes of CONTRIBUTING.md, carried out on a copy of the sources in memory. */
export type Recipe = {
  /** New files, by their path. */
  readonly adds: Readonly<Record<string, string>>;
  /** Existing files that are touched, by their path: text is inserted behind an anchor, which occurs once. */
  readonly touches: Readonly<Record<string, readonly (readonly [anchor: string, inserted: string])[]>>;
};

/** The text of every changed file by its absolute path. */
type Overlay = ReadonlyMap<string, string>;

export function applyRecipe({ adds, touches }: Recipe): Overlay {
  const overlay = new Map<string, string>();
  for (const [path, text] of Object.entries(adds)) overlay.set(resolve(path), text);
  for (const [path, insertions] of Object.entries(touches)) {
    let text = readFileSync(path, 'utf8');
    for (const [anchor, inserted] of insertions) {
      if (text.split(anchor).length !== 2) throw new Error(`${path} does not have this once: ${anchor}`);
      text = text.replace(anchor, () => anchor + inserted);
    }
    overlay.set(resolve(path), text);
  }
  return overlay;
}

/**
 * Type errors of the app with these files, in the files that match `about` (and those added): whatever else had to be
 * touched, such as a switch or a table over all kinds, shows here.
 */
export function typeErrors(overlay: Overlay, about: RegExp): readonly string[] {
  const { config } = ts.readConfigFile('tsconfig.tests.json', ts.sys.readFile);
  const base = ts.readConfigFile('tsconfig.base.json', ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...base.compilerOptions,
      ...config.compilerOptions,
      composite: false,
      incremental: false,
      noEmit: true,
    },
    process.cwd(),
  );
  const host = ts.createCompilerHost({ ...options, emitDeclarationOnly: false });
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  const folders = new Set([...overlay.keys()].map((path) => dirname(path)));
  host.directoryExists = (path) => folders.has(resolve(path)) || (directoryExists?.(path) ?? true);
  host.fileExists = (path) => overlay.has(resolve(path)) || fileExists(path);
  host.readFile = (path) => overlay.get(resolve(path)) ?? readFile(path);
  host.getSourceFile = (path, target, onError) => {
    const text = overlay.get(resolve(path));
    return text === undefined
      ? getSourceFile(path, target, onError)
      : ts.createSourceFile(path, text, target, true);
  };
  const roots = [
    ...overlay.keys(),
    ...sourceFiles().filter((path) => about.test(readFileSync(path, 'utf8'))),
  ];
  const program = ts.createProgram([...new Set(roots.map((path) => resolve(path)))], options, host);
  return program
    .getRootFileNames()
    .flatMap((path) => program.getSemanticDiagnostics(program.getSourceFile(path)))
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

function sourceFiles(): string[] {
  return ['main', 'preload', 'renderer'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Runs a program that imports the changed sources; its exports. `entry` is TypeScript, as if in the root folder. */
export async function importWith(overlay: Overlay, entry: string): Promise<Record<string, unknown>> {
  const outDir = await temporaryFolder();
  const start = resolve('recipe-entry.ts');
  const files = new Map([...overlay, [start, entry]]);
  const plugin: Plugin = {
    name: 'recipe',
    enforce: 'pre',
    resolveId: (source, importer) => {
      if (files.has(source)) return source;
      const path = importer === undefined ? '' : `${join(dirname(importer), source)}.ts`;
      return files.has(path) ? path : null;
    },
    load: (id) => files.get(id) ?? null,
  };
  await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: {
      ssr: start,
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'script.mjs', codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
  return import(pathToFileURL(join(outDir, 'script.mjs')).href);
}

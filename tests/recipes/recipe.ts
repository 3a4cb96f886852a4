import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { API } from 'typescript-7/unstable/sync';
import { build, type Plugin } from 'vite';

/** One of the "how to add" recipes of CONTRIBUTING.md, carried out on a copy of the sources in memory. */
export type Recipe = {
  /** What it adds. */
  readonly name: string;
  /** Matches the files that may have to be touched as well: their types are checked. */
  readonly about: RegExp;
  /** New files, by their path. */
  readonly adds: Readonly<Record<string, string>>;
  /** Existing files that are touched, by their path: text is inserted behind an anchor, which occurs once. */
  readonly touches: Readonly<Record<string, readonly (readonly [anchor: string, inserted: string])[]>>;
  /** A program that imports the changed sources: TypeScript, as if in the root folder. */
  readonly entry: string;
  /** That what was added works; `added`: what the program exports. */
  readonly check: (added: Record<string, unknown>) => void | Promise<void>;
};

/** The text of every changed file by its absolute path. */
type Overlay = ReadonlyMap<string, string>;

/** All of them at once: types are checked and sources are built once, which takes most of the time. */
export function applyRecipes(recipes: readonly Recipe[]): Overlay {
  const overlay = new Map<string, string>();
  for (const { adds, touches } of recipes) {
    for (const [path, text] of Object.entries(adds)) overlay.set(resolve(path), text);
    for (const [path, insertions] of Object.entries(touches)) {
      let text = overlay.get(resolve(path)) ?? readFileSync(path, 'utf8');
      for (const [anchor, inserted] of insertions) {
        if (text.split(anchor).length !== 2) throw new Error(`${path} does not have this once: ${anchor}`);
        text = text.replace(anchor, () => anchor + inserted);
      }
      overlay.set(resolve(path), text);
    }
  }
  return overlay;
}

/**
 * Type errors of the app with these files, in the files that a recipe is about (and those added): whatever else had to be
 * touched, such as a switch or a table over all kinds, shows here.
 */
export function typeErrors(overlay: Overlay, recipes: readonly Recipe[]): readonly string[] {
  const about = sourceFiles().filter((path) => {
    const text = readFileSync(path, 'utf8');
    return recipes.some((recipe) => recipe.about.test(text));
  });
  const files = [...new Set([...overlay.keys(), ...about.map((path) => resolve(path))])];
  const config = resolve('tsconfig.recipes.json');
  const options = { composite: false, incremental: false, emitDeclarationOnly: false, noEmit: true };
  const texts = new Map(overlay).set(
    config,
    JSON.stringify({
      extends: './tsconfig.tests.json',
      compilerOptions: options,
      ...{ files, include: [], references: [] },
    }),
  );
  const folders = new Set([...overlay.keys()].map((path) => dirname(path)));
  // The compiler of the step "types", which takes a quarter of the time of the other.
  const api = new API({
    cwd: process.cwd(),
    fs: {
      readFile: (path) => texts.get(path),
      fileExists: (path) => texts.has(path) || undefined,
      directoryExists: (path) => folders.has(path) || undefined,
    },
  });
  try {
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    if (project === undefined) throw new Error(`${config} was not opened`);
    return files
      .flatMap((path) => project.program.getSemanticDiagnostics(path))
      .map(({ fileName, text }) => `${fileName}: ${text}`);
  } finally {
    api.close();
  }
}

function sourceFiles(): string[] {
  return ['main', 'preload', 'renderer'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Runs the recipes' programs; what each exports, in their order. `outDir`: an empty folder. */
export async function runEntries(
  overlay: Overlay,
  recipes: readonly Recipe[],
  outDir: string,
): Promise<readonly Record<string, unknown>[]> {
  const start = resolve('recipe-entry.ts');
  const entries = recipes.map(({ entry }, at) => [resolve(`recipe-entry-${at}.ts`), entry] as const);
  const all = entries.map((_, at) => `export * as entry${at} from './recipe-entry-${at}';`).join('\n');
  const files = new Map([...overlay, ...entries, [start, all]]);
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
  const built = await import(pathToFileURL(join(outDir, 'script.mjs')).href);
  return entries.map((_, at) => built[`entry${at}`]);
}

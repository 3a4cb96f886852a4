// Who may import whom: the walls of this house, checked by `npm test` (step "walls").
// Each has a test in tests/walls/ in which a planted violation fails.

const contract = '^preload/contract/';
const folds = '^preload/contract/folds/';
const plans = '^preload/contract/plans/';
const base = '^main/base/';
/** A function and nothing else: whoever sees the contract as types alone may call it. */
const assertNever = '^preload/contract/assert-never\\.ts$';
/** Parsers check what they parse with it; it touches nothing of the world, so pure code may use it too. */
const zod = '^node_modules/zod/';
const electron = '^(node_modules/)?electron(/|$)';
const door = (...names) => names.map((name) => `^main/${name}/index\\.ts$`);
/** Packages that reach outside of a web page. */
const notForPages = ['electron', 'lowdb', '@lydell/node-pty', 'zod'].join('|');
const pagePackages = `^node_modules/(?!(${notForPages})/)`;

/**
 * `from`: whose imports. `may`: what they may import beside `own`. `types`: what they may import as types alone.
 * `node: true`: Node's own modules as well. "$1" stands for what the brackets in `from` matched.
 */
const walls = [
  { name: 'contract', from: `${contract}(?!folds/|plans/)`, own: contract, may: [zod] },
  // They run in the window: a value import of a schema would bring zod along.
  { name: 'folds', from: folds, own: folds, may: [assertNever], types: [contract] },
  { name: 'contract-plans', from: plans, own: plans, may: [assertNever, folds], types: [contract] },
  // A sandboxed preload is one small file; the contract's schemas as values would add 170 kB.
  {
    name: 'preload',
    from: '^preload/index\\.ts$',
    own: '^preload/index\\.ts$',
    may: [electron, `${contract}channel-names\\.ts$`],
    types: [contract],
  },

  { name: 'base', from: base, own: base, may: [contract] },
  // A grammar of Python, to tell which block of an answer is a program. It touches nothing of the world.
  pureWall('search', ['^node_modules/@lezer/']),
  ...['metrics', 'objective'].map((name) => pureWall(name, [])),
  pureWall('pocket', [zod]),
  { name: 'logic', from: '^main/([^/]+)/logic/', own: '^main/$1/logic/', may: [contract, base, zod] },

  serviceWall('storage', [zod, '^node_modules/lowdb/']),
  // The core of long work knows no kind of it.
  serviceWall('reconcile', []),
  serviceWall('machines', [zod, '^node_modules/@lydell/node-pty/', ...door('storage')]),
  serviceWall('terminals', [zod, ...door('machines')]),
  serviceWall('jobs', [zod, ...door('machines', 'storage', 'reconcile')]),
  serviceWall('grading', [zod, ...door('machines', 'storage')]),
  // The generated benchmark is made by the pocket world, which is pure.
  serviceWall('benchmarks', [
    zod,
    '^node_modules/hyparquet(-compressors)?/',
    ...door('machines', 'storage', 'pocket'),
  ]),
  serviceWall('servers', [zod, ...door('machines', 'storage', 'jobs', 'pocket')]),
  // Kinds of trainer: what is typed, and how one is watched. What a checkpoint is then used for is not its business.
  serviceWall('trainings', [
    zod,
    ...door('machines', 'storage', 'reconcile', 'jobs', 'pocket', 'objective', 'metrics'),
  ]),
  // A program of its own: the real search, grading and policies around the pure objective.
  serviceWall('trainer', [
    zod,
    ...door('storage', 'machines', 'grading', 'search', 'objective', 'pocket', 'metrics'),
  ]),
  // A program of its own: the grader, asked over HTTP.
  serviceWall('grader-service', [zod, ...door('storage', 'grading', 'benchmarks', 'search')]),
  serviceWall('studies', [
    zod,
    ...door('storage', 'reconcile', 'machines', 'jobs', 'grading', 'benchmarks', 'servers'),
    ...door('search', 'metrics', 'objective', 'pocket'),
  ]),
  // Exhibits as files; what fills them is a fold of runs.
  serviceWall('exhibits', [zod, ...door('storage', 'metrics')]),
  serviceWall('plans', [
    zod,
    ...door(
      'storage',
      'reconcile',
      'machines',
      'jobs',
      'benchmarks',
      'servers',
      'trainings',
      'studies',
      'exhibits',
      'metrics',
    ),
  ]),
  // What leaves the workbench: documents in, bytes out.
  serviceWall(
    'reports',
    [
      zod,
      ...door('storage', 'studies', 'metrics'),
      '^node_modules/(pdfkit|fontkit|@resvg/resvg-wasm|yauzl|fflate)/',
    ],
    door('benchmarks'),
  ),
  serviceWall('electron', [zod, electron], door('app', 'storage')),
  // What `cli` has to say: the same services as the window's, in text.
  serviceWall('cli', [zod, '^node_modules/commander/', ...door('app', 'studies', 'storage')]),
  // The composition root: it opens and wires everything but what shows it.
  {
    name: 'app',
    from: '^main/app/',
    own: '^main/app/',
    may: ['^main/(?!electron/|cli/)[^/]+/', contract, zod],
    node: true,
  },
  {
    name: 'entry',
    from: '^main/[^/]+$',
    own: '^main/[^/]+$',
    may: [...door('app'), '^main/electron/', contract, electron],
    node: true,
  },

  // Sentences of the screens, a file per subject: functions of values.
  {
    name: 'text',
    from: '^renderer/text/',
    own: '^renderer/text/',
    may: [assertNever, folds, plans, '^renderer/widgets/format\\.ts$'],
    types: [contract],
  },
  // The stores are fed by folds and plans, which are values; the rest of the contract they know as types.
  {
    name: 'state',
    from: '^renderer/(state/|workbench-client\\.ts$)',
    own: '^renderer/(state/|workbench-client\\.ts$)',
    may: [assertNever, '^renderer/text/', folds, plans, pagePackages],
    types: [contract],
  },
  {
    name: 'widgets',
    from: '^renderer/widgets/',
    own: '^renderer/widgets/',
    // How numbers are written has no subject, and is the same in files and in the terminal.
    may: ['^renderer/theme/', '^preload/contract/plans/(number-text|local-time)\\.ts$', pagePackages],
  },
  {
    name: 'theme',
    from: '^renderer/theme/',
    own: '^renderer/theme/',
    may: [pagePackages],
    types: [contract],
  },
  // Parts of one subject that several screens show.
  {
    name: 'shared',
    from: '^renderer/shared/([^/]+)/',
    own: '^renderer/shared/$1/',
    may: [assertNever, '^renderer/(state|text|widgets|theme)/', folds, plans, pagePackages],
    types: [contract],
  },
  {
    name: 'screens',
    from: '^renderer/(?!(?:state|text|shared|widgets|theme)/)([^/]+)/',
    own: '^renderer/$1/',
    may: [assertNever, '^renderer/(state|text|shared|widgets|theme)/', folds, plans, pagePackages],
    types: [contract],
  },
  {
    name: 'page',
    from: '^renderer/[^/]+$',
    own: '^renderer/',
    may: [assertNever, folds, pagePackages],
    types: [contract],
  },
];

function pureWall(name, more) {
  return { name, from: `^main/${name}/(?!logic/)`, own: `^main/${name}/`, may: [contract, base, ...more] };
}

function serviceWall(name, more, types = []) {
  return {
    name,
    from: `^main/${name}/(?!logic/)`,
    own: `^main/${name}/`,
    may: [contract, base, ...more],
    types,
    node: true,
  };
}

/** Two rules a wall: nothing else at all, and as values only what is not for types alone. */
function rulesOf({ name, from, own, may, types = [], node = false }) {
  const severity = 'error';
  const exceptNode = node ? { dependencyTypesNot: ['core'] } : {};
  const nothingElse = {
    name: `wall-${name.replaceAll(' ', '-')}`,
    comment: `See the wall "${name}" in .dependency-cruiser.cjs for what may be imported here.`,
    severity,
    from: { path: from },
    to: { pathNot: [own, ...may, ...types], ...exceptNode },
  };
  if (types.length === 0) return [nothingElse];
  const typesAlone = {
    name: `wall-${name.replaceAll(' ', '-')}-types-only`,
    comment: `The wall "${name}" lets these through with \`import type\` alone.`,
    severity,
    from: { path: from },
    to: { path: types, pathNot: [own, ...may], dependencyTypesNot: ['type-only'] },
  };
  return [nothingElse, typesAlone];
}

module.exports = {
  forbidden: [
    ...walls.flatMap(rulesOf),
    {
      name: 'electron-is-an-adapter',
      comment: 'Electron is imported in main/electron/, main/index.ts and preload/index.ts alone.',
      severity: 'error',
      from: {
        path: '^(main|preload|renderer)/',
        pathNot: ['^main/electron/', '^main/index\\.ts$', '^preload/index\\.ts$'],
      },
      to: { path: electron },
    },
    {
      name: 'main-knows-no-renderer',
      comment: 'What both need belongs in preload/contract/.',
      severity: 'error',
      from: { path: '^(main|preload)/' },
      to: { path: '^renderer/' },
    },
    {
      name: 'front-door',
      comment: "Import a folder of main by its index.ts: what that does not export is the folder's own.",
      severity: 'error',
      from: { path: '^main/([^/]+)/' },
      to: { path: '^main/[^/]+/', pathNot: ['^main/$1/', '^main/[^/]+/index\\.ts$'] },
    },
    {
      name: 'front-door-of-all',
      comment: 'Import a folder of main by its index.ts; only the entry knows the insides of main/electron/.',
      severity: 'error',
      from: { path: '^main/[^/]+.ts$' },
      to: { path: '^main/[^/]+/', pathNot: ['^main/[^/]+/index.ts$', '^main/electron/'] },
    },
    {
      name: 'no-circles',
      comment: 'Two files that import each other are one file, or hide a third. (Types may.)',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'can-be-found',
      comment: 'An import that leads nowhere escapes every other rule.',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports of types are imports.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};

import { LOGIN_PATH_LINES } from '../../base';

const MARK = '@mars2-node@';
/** The Node version that our programs are built for. */
export const MIN_NODE_VERSION = 20;

/** Where Node is put by those who install it without being root. */
const NODE_PATHS = [
  '"$HOME"/.nvm/versions/node/*/bin/node',
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.local/bin/node',
  '"$HOME"/miniconda3/bin/node',
  '"$HOME"/miniforge3/bin/node',
  '/usr/local/bin/node',
  '/opt/homebrew/bin/node',
  '/usr/bin/node',
];

/** A script for a POSIX shell that prints where Node is, for `readNodeProbe`. */
export const NODE_SCRIPT = `${LOGIN_PATH_LINES}
for node in "$(command -v node 2>/dev/null)" ${NODE_PATHS.join(' ')}; do
  [ -x "$node" ] || continue
  version=$("$node" -p process.versions.node 2>/dev/null </dev/null) || continue
  echo "${MARK}$version $node"
done
`;

export type FoundNode = { readonly path: string; readonly version: string };

/** The first that is new enough, else the first; null where there is none. */
export function readNodeProbe(output: string): (FoundNode & { readonly isNewEnough: boolean }) | null {
  const programs = [...output.matchAll(new RegExp(`^${MARK}(\\d+)(?!\\d)(\\S*) (/.*)$`, 'gm'))].map(
    ([, major = '', rest = '', path = '']) => ({
      path,
      version: `${major}${rest}`,
      isNewEnough: Number(major) >= MIN_NODE_VERSION,
    }),
  );
  return programs.find(({ isNewEnough }) => isNewEnough) ?? programs[0] ?? null;
}

/**
 * Lines for a job's shell after which $MARS2_NODE is a Node that is new enough; they end the job where there is none.
 */
export const NODE_LINES = `${LOGIN_PATH_LINES}
MARS2_NODE=
for node in "$(command -v node 2>/dev/null)" ${NODE_PATHS.join(' ')}; do
  [ -x "$node" ] || continue
  version=$("$node" -p process.versions.node 2>/dev/null </dev/null) || continue
  [ "\${version%%.*}" -ge ${MIN_NODE_VERSION} ] && { MARS2_NODE=$node; break; }
done
[ -n "$MARS2_NODE" ] || { echo "Node ${MIN_NODE_VERSION} or newer was not found on $(hostname)." >&2; exit 1; }
export MARS2_NODE`;

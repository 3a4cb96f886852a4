import type { ScriptPart } from '../../../base';

/** Files whose names say that they hold keys, in git's patterns. */
const KEY_FILES = [
  ...[
    '.env',
    '.env.*',
    '*.env',
    '.netrc',
    '.npmrc',
    '.pypirc',
    '*.pem',
    '*.key',
    '*.p12',
    '*.pfx',
    'id_rsa*',
    'id_ed25519*',
  ],
  ...['*secret*', '*credential*', '*token*.txt', '*token*.json', 'kubeconfig*', '.htpasswd'],
];
const magic = (kind: string): string =>
  KEY_FILES.map((name) => `':(${kind},icase,glob)**/${name}'`).join(' ');

/** New files of these kinds are code or settings; others are named alone. */
const SOURCES = [
  'py',
  'pyx',
  'ipynb',
  'sh',
  'bash',
  'js',
  'ts',
  'mjs',
  'c',
  'cc',
  'cpp',
  'cu',
  'cuh',
  'h',
  'hpp',
  'rs',
  'go',
  'jl',
]
  .concat(['yaml', 'yml', 'toml', 'cfg', 'ini', 'j2', 'jinja', 'sbatch', 'slurm'])
  .map((ending) => `*.${ending}`)
  .join(' | ');

/** A new file beyond this is data. */
const MAX_NEW_BYTES = 65_536;
const MAX_NEW_FILES = 100;

/**
 * The first of the folders that is in a working tree of git. Settings of the repository that run programs (external diffs,
 * text conversions, a file system monitor) are not followed, and no lock is taken: the job may use git itself.
 */
export const CODE_PART: ScriptPart = {
  name: 'code',
  body: `
  GIT_OPTIONAL_LOCKS=0; export GIT_OPTIONAL_LOCKS
  read_git() { limited 15 git --no-pager -c core.fsmonitor=false -c core.quotePath=false -C "$top" "$@"; }
  folders_of | while IFS= read -r folder; do
    folder=$(home_path "$folder")
    case $folder in /*) ;; *) folder=$cwd/$folder ;; esac
    [ -d "$folder" ] && printf '%s\\n' "$folder"
  done >"$work/folders"
  [ -s "$work/folders" ] || return 0
  command -v git >/dev/null 2>&1 || { echo 'problem no-git'; return; }
  top=
  while IFS= read -r folder && [ -z "$top" ]; do
    top=$(limited 5 git -C "$folder" rev-parse --show-toplevel 2>"$work/git.error") || top=
    if [ -z "$top" ] && grep -q 'dubious ownership' "$work/git.error"; then printf 'problem git-owner %s\\n' "$folder"; fi
  done <"$work/folders"
  if [ -z "$top" ]; then
    [ -s "$work/git.error" ] && read -r folder <"$work/folders" && printf 'problem no-repository %s\\n' "$folder"
    return 0
  fi
  printf 'folder %s\\n' "$top"
  base=$(read_git rev-parse --verify -q HEAD)
  printf 'commit %s\\n' "$base"
  printf 'branch %s\\n' "$(read_git symbolic-ref --short -q HEAD)"
  printf 'remote %s\\n' "$(read_git config --get remote.origin.url | sed -E 's#(://)[^/@]*@#\\1#')"
  if [ -n "$base" ]; then
    read_git diff --no-ext-diff --no-textconv --no-color HEAD -- . ${magic('exclude')} >"$work/diff" || echo 'problem git-diff'
    read_git diff --name-only HEAD -- ${magic('top')} | head -n 1000 | sed 's/^/left-out /'
  fi
  read_git ls-files --others --exclude-standard -- . ${magic('exclude')} | head -n 1000 >"$work/untracked"
  sed 's/^/untracked /' "$work/untracked"
  read_git ls-files --others --exclude-standard -- ${magic('top')} | head -n 1000 | sed 's/^/left-out /'
  new=0
  while IFS= read -r name && [ "$new" -lt ${MAX_NEW_FILES} ]; do
    case $name in ${SOURCES}) ;; *) continue ;; esac
    facts=$(facts_of "$top/$name")
    [ -n "$facts" ] && [ "\${facts%% *}" -le ${MAX_NEW_BYTES} ] || continue
    new=$((new + 1))
    read_git diff --no-ext-diff --no-textconv --no-color --no-index -- /dev/null "$name" >>"$work/diff"
  done <"$work/untracked"
  [ -s "$work/diff" ] || return 0
  printf 'diff-bytes %s\\n' "$(wc -c <"$work/diff" | tr -d ' ')"
  printf 'diff-digest %s\\n' "$(digest_of "$work/diff")"
  section code.diff 0
  head -c "$max_diff" "$work/diff" | without_secrets`,
};

import { MAX_DIFF_BYTES } from '../../../../preload/contract';
import { boundedScript, type ScriptPart, shellWord, shellWords } from '../../../base';
import { CODE_PART } from './code-part';
import { PACKAGES_PART } from './packages-part';
import type { ProvenanceTargets } from './targets';
import { WEIGHTS_PART } from './weights-part';

/** A part that hangs (a dead file server, a driver) costs only its own lines; a large repository over NFS takes seconds. */
const SECONDS = 20;

/**
 * The script that records what made a start, for `sh -c` with the attempt's folder and the working folder as arguments. It
 * runs beside the command in the command's environment, prints what `readProvenance` reads, and changes nothing.
 */
export function recordScript(targets: ProvenanceTargets, workbench: string): string {
  const { folders, programs, weights, revision, images, isInContainer, readable } = targets;
  const values = [
    `workbench=${shellWord(workbench)}`,
    `max_diff=${MAX_DIFF_BYTES}`,
    `revision=${shellWord(revision ?? '')}`,
    `in_container=${isInContainer ? 'yes' : ''}`,
    `python_of_image() { ${readable === null ? 'false' : runInImage(readable)}; }`,
    `folders_of() { printf '%s\\n' ${shellWords(folders)}; }`,
    `programs_of() { printf '%s\\n' ${shellWords(programs)}; }`,
    `weights_of() { printf '%s\\n' ${shellWords(weights)}; }`,
    `images_of() { printf '%s\\n' ${shellWords(images)}; }`,
  ].join('\n');
  const parts = [HOST_PART, CODE_PART, PACKAGES_PART, WEIGHTS_PART, GPU_PART];
  return `cwd=$1\n${values}\n${FUNCTIONS}\n${boundedScript({ parts, seconds: SECONDS })}`;
}

/** Runs Python, with the arguments that follow, in an image. */
function runInImage({ runtime, image, python }: NonNullable<ProvenanceTargets['readable']>): string {
  return `limited 15 ${shellWord(runtime)} exec "$(path_from_cwd ${shellWord(image)})" ${shellWord(python)} "$@"`;
}

/**
 * `home_path PATH`        with "~" replaced
 * `path_from_cwd PATH`    the same, absolute
 * `program_path WORD`     of a program as the command finds it
 * `facts_of FILE`         "BYTES DATE", its size and the time of its last change
 * `digest_of FILE`        its SHA-256
 * `without_secrets`       a filter: keys by their form, and values whose names say that they are secret
 */
const FUNCTIONS = `
home_path() { case $1 in '~' | '~/'*) printf '%s\\n' "$HOME\${1#'~'}" ;; *) printf '%s\\n' "$1" ;; esac; }
path_from_cwd() { path=$(home_path "$1"); case $path in /*) printf '%s\n' "$path" ;; *) printf '%s\n' "$cwd/$path" ;; esac; }
program_path() {
  case $1 in
    '~/'* | /*) home_path "$1" ;;
    */*) printf '%s\\n' "$cwd/$1" ;;
    *) command -v -- "$1" ;;
  esac
}
facts_of() {
  { TZ=UTC0 stat -L -c '%s %y' -- "$1" 2>/dev/null || TZ=UTC0 stat -L -t '%Y-%m-%d %H:%M:%S' -f '%z %Sm' -- "$1" 2>/dev/null; } |
    sed -n 's/^\\([0-9]*\\) \\([0-9-]*\\) \\([0-9:]*\\).*/\\1 \\2T\\3Z/p'
}
digest_of() { { sha256sum -- "$1" || shasum -a 256 -- "$1"; } 2>/dev/null | cut -c 1-64; }
without_secrets() {
  sed -E \\
    -e '/-----BEGIN [A-Z ]*PRIVATE KEY-----/,/-----END [A-Z ]*PRIVATE KEY-----/s/.*/(a private key)/' \\
    -e 's#(://[^/@: ]*:)[^/@ ]+@#\\1***@#g' \\
    -e 's/(sk-|hf_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|nvapi-|npm_|pypi-)[A-Za-z0-9_-]{8,}/***/g' \\
    -e 's/(([Aa][Pp][Ii]|[Aa][Cc][Cc][Ee][Ss][Ss]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Pp][Rr][Ii][Vv][Aa][Tt][Ee]|[Aa][Uu][Tt][Hh])[_-]?[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Pp][Aa][Ss][Ss][Ww][Oo][Rr][Dd]|[Pp][Aa][Ss][Ss][Ww][Dd])(["'"'"']?[[:space:]]*[=:][[:space:]]*["'"'"'])[^"'"'"']{6,}/\\1\\3***/g' \\
    -e 's/([A-Z0-9_]*(KEY|TOKEN|SECRET|PASSWORD|PASSWD)[[:space:]]*[=:][[:space:]]*)[^[:space:]"'"'"'=]{6,}/\\1***/g'
}
`;

/** Where it runs; and images, which the environment of a container names. */
const HOST_PART: ScriptPart = {
  name: 'host',
  body: `
  # What a start that was killed in the middle has left, also with text of a diff.
  find "\${work%/*}" -maxdepth 1 -name 'mars2-look.*' -user "$(id -u)" -mmin +10 -exec rm -rf {} + 2>/dev/null
  printf 'workbench %s\\n' "$workbench"
  date -u '+at %Y-%m-%dT%H:%M:%SZ'
  printf 'host %s\\n' "$(uname -n)"
  printf 'system %s\\n' "$(uname -srm)"
  [ -z "\${SLURM_JOB_ID:-}" ] || printf 'slurm %s %s\\n' "$SLURM_JOB_ID" "\${SLURMD_NODENAME:-$(uname -n)}"
  image_facts() {
    [ -n "$1" ] || return
    printf 'image %s\\n' "$1"
    path=$(path_from_cwd "$1")
    [ ! -f "$path" ] || printf 'image-file %s\\n' "$(facts_of "$path")"
  }
  images_of | while IFS= read -r image; do image_facts "$image"; done
  image_facts "\${APPTAINER_CONTAINER:-\${SINGULARITY_CONTAINER:-}}"
  image_facts "\${SLURM_CONTAINER_IMAGE:-\${SLURM_CONTAINER:-}}"
  if [ -r /run/.containerenv ]; then
    sed -n 's/^image="\\(..*\\)"$/image \\1/p; s/^imageid="\\(..*\\)"$/image-digest \\1/p' /run/.containerenv
  elif [ -e /.dockerenv ]; then
    echo 'problem docker'
  fi`,
};

/** Driver, CUDA and the GPUs, with what the job may use of them. */
const GPU_PART: ScriptPart = {
  name: 'gpu',
  body: `
  printf 'visible %s\\n' "\${CUDA_VISIBLE_DEVICES-all}"
  command -v nvidia-smi >/dev/null 2>&1 || return 0
  limited 8 nvidia-smi --query-gpu=index,uuid,driver_version,name --format=csv,noheader,nounits >"$work/gpus"; code=$?
  [ "$code" -eq 0 ] || { printf 'problem nvidia-smi %s\\n' "$code"; return; }
  sed 's/^/gpu /' "$work/gpus"
  limited 8 nvidia-smi | sed -n 's/.*CUDA Version: *\\([0-9][0-9.]*\\).*/cuda \\1/p' | head -n 1`,
};

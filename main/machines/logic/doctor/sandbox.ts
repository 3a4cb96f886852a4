import {
  type Finding,
  good,
  type ScriptCheck,
  type ScriptOutput,
  unknown,
  valuesIn,
  warning,
} from './finding';

const NOBODY = 65_534;
/** Root's sandboxes run as nobody, as the grader's do: what root may says nothing of them. */
const AS_NOBODY = `import os, sys; os.setgroups([]); os.setgid(${NOBODY}); os.setuid(${NOBODY}); os.execv(sys.argv[1], sys.argv[1:])`;
const ABOUT =
  'import os, sys; print(os.path.realpath(sys.executable)); print(os.path.realpath(sys.base_prefix)); print(sys.version_info >= (3, 9) and hasattr(os, "fork"))';

/** Starts a Python in a sandbox such as the grader's (see docs/sandbox.md): the same namespaces, mounts and user. */
const SCRIPT = `
echo "system=$(uname -s)"
for python in /usr/bin/python3 "$(command -v python3)"; do
  [ -x "$python" ] || continue
  about=$("$python" -I -S -c '${ABOUT}' 2>/dev/null) || continue
  case "$about" in *True) echo "python=$python"; break ;; esac
  about=
done
[ -n "$about" ] || exit 0
real=$(printf '%s\\n' "$about" | sed -n 1p)
prefix=$(printf '%s\\n' "$about" | sed -n 2p)
bwrap=/usr/bin/bwrap
[ -x "$bwrap" ] || bwrap=$(command -v bwrap) || exit 0
echo "bwrap=$bwrap"
echo "version=$("$bwrap" --version)"
set -- "$bwrap" --unshare-all --die-with-parent --new-session --as-pid-1 --uid ${NOBODY} --gid ${NOBODY} --hostname sandbox --clearenv --ro-bind /usr /usr
for entry in /bin /sbin /lib /lib32 /lib64 /libx32; do
  if [ -L "$entry" ]; then set -- "$@" --symlink "$(readlink "$entry")" "$entry"
  elif [ -d "$entry" ]; then set -- "$@" --ro-bind "$entry" "$entry"; fi
done
set -- "$@" --proc /proc --dev /dev
for place in "$prefix" "$real"; do
  case "$place" in /usr|/usr/*) ;; *) set -- "$@" --ro-bind "$place" "$place" ;; esac
done
set -- "$@" "$real" -I -S -c 'print("in-the-sandbox")'
if [ "$(id -u)" -eq 0 ]; then set -- "$real" -I -S -c '${AS_NOBODY}' "$@"; fi
if command -v timeout >/dev/null 2>&1; then set -- timeout -k 1 20 "$@"; fi
echo "said=$("$@" 2>&1 </dev/null | tr '\\n' ' ')"
exit 0
`;

export const sandboxCheck: ScriptCheck = {
  id: 'sandbox',
  title: 'Sandbox for grading there',
  seconds: 40,
  script: SCRIPT,
  judge: judgeSandbox,
};

function judgeSandbox({ stdout }: ScriptOutput): Finding {
  const values = valuesIn(stdout);
  const system = values.get('system');
  if (system === undefined) return unknown('The machine does not report its system.');
  if (system !== 'Linux')
    return cannot(
      'Candidates cannot be graded there: the sandbox (bubblewrap) needs Linux.',
      'Grade on another machine.',
    );
  if (values.get('python') === undefined)
    return cannot(
      'Candidates cannot be graded there: no Python 3.9 or later.',
      'See the check "Python of jobs", or grade on another machine.',
    );
  if (values.get('bwrap') === undefined)
    return cannot(
      'Candidates cannot be graded there: bubblewrap, the sandbox, is not installed.',
      'Ask for it (Debian: `sudo apt-get install bubblewrap`; without root: `conda install -c conda-forge bubblewrap`), or grade on another machine.',
    );
  const output = values.get('said') ?? '';
  const version = values.get('version') ?? 'bubblewrap';
  if (output.includes('in-the-sandbox'))
    return good(`${version} starts ${values.get('python')} in a sandbox.`);
  return cannot(
    `Candidates cannot be graded there: ${version} does not start. Its output: ${output.trim().slice(0, 200) || 'none.'}`,
    todoFor(output),
  );
}

function cannot(found: string, todo: string): Finding {
  return { ...warning(found, todo), isAbsent: true };
}

function todoFor(output: string): string {
  if (/uid map|Operation not permitted|No permissions|user namespace|new namespace/i.test(output))
    return (
      'Unprivileged user namespaces seem to be off. Ubuntu 24.04 and later: `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`; ' +
      'older Debian: `sudo sysctl kernel.unprivileged_userns_clone=1`; in a container: start it with `--security-opt seccomp=unconfined`. Or grade on another machine.'
    );
  return 'Run `bwrap --unshare-all --ro-bind / / true` there to see what the system forbids, or grade on another machine.';
}

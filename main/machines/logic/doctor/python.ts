import { bad, type Finding, good, type ScriptCheck, type ScriptOutput, valuesIn, warning } from './finding';

/** The oldest in which candidates are graded, and the oldest for which the engines' packages are made. */
const OLDEST_FOR_GRADING = 9;
const OLDEST_FOR_ENGINES = 10;
const SLOW_SECONDS = 1;

const WITHOUT_ROOT =
  'Without root: `curl -LsSf https://astral.sh/uv/install.sh | sh`, then `uv venv --python 3.12`.';

const ABOUT = `
import os, sys
print("real=" + os.path.realpath(sys.executable))
print("version=%d.%d.%d" % sys.version_info[:3])
try:
    import ensurepip, venv
    print("venv=yes")
except ImportError:
    print("venv=no")
`;

/** The python3 that a job without a set-up finds. */
export const pythonCheck: ScriptCheck = {
  id: 'python',
  title: 'Python of jobs',
  seconds: 30,
  script: `
path=$(command -v python3) || exit 0
echo "path=$path"
cd /
"$path" -c '${ABOUT}' || exit 1
start=$(date +%s%N)
"$path" -S -c pass
echo "time=$start $(date +%s%N)"
command -v uv >/dev/null 2>&1 && echo "uv=yes"
[ -x "$HOME/.local/bin/uv" ] && echo "uv=yes"
exit 0
`,
  judge: judgePython,
};

function judgePython({ code, stdout, stderr }: ScriptOutput): Finding {
  const values = valuesIn(stdout);
  const path = values.get('path');
  if (path === undefined)
    return bad(
      'There is no python3 on the PATH: jobs that name it and engines do not start. Which Python grades is said below.',
      `Ask for python3 (Debian: \`sudo apt-get install python3 python3-venv\`). ${WITHOUT_ROOT}`,
    );
  const version = values.get('version');
  if (version === undefined)
    return bad(
      `${path} does not start (exit code ${code}): ${lastLine(stderr)}`,
      `Run \`${path} -c pass\` there, and fix or remove it. ${WITHOUT_ROOT}`,
    );
  const real = values.get('real') ?? path;
  const summary = `Python ${version} in ${path}${real === path ? '' : ` (${real})`}`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 3 || minor < OLDEST_FOR_GRADING)
    return bad(
      `${summary}: 3.${OLDEST_FOR_GRADING} is needed to grade there, 3.${OLDEST_FOR_ENGINES} for engines.`,
      WITHOUT_ROOT,
    );
  if (minor < OLDEST_FOR_ENGINES)
    return warning(`${summary}: engines need 3.${OLDEST_FOR_ENGINES} or later.`, WITHOUT_ROOT);
  if (values.get('venv') !== 'yes' && values.get('uv') !== 'yes')
    return warning(
      `${summary}; it cannot create environments (no venv or ensurepip).`,
      `Ask for it (Debian: \`sudo apt-get install python3-venv\`). ${WITHOUT_ROOT}`,
    );
  const [start = '', end = ''] = (values.get('time') ?? '').split(' ');
  const seconds = /^\d{18,}$/.test(start) && /^\d{18,}$/.test(end) ? (Number(end) - Number(start)) / 1e9 : 0;
  if (seconds > SLOW_SECONDS)
    return warning(
      `${summary} takes ${seconds.toFixed(1)} s to start.`,
      `Find out why: \`time ${path} -X importtime -S -c pass\`; often a file server or a version manager.`,
    );
  return good(`${summary}.`);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 200) || 'no output.';
}

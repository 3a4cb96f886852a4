/**
 * May several tests of this program run in one process, one after the other? The process restores what programs usually
 * change (between_tests.py); a program that may change anything else gets a process for each test. This protects honest
 * programs from passing because of leftovers of an earlier test. A program that evades the check gains nothing: without
 * the expected outputs it has to compute its answers anyway.
 */
export function mayShareProcess(program: string): boolean {
  if (STATE_CHANGING.test(program)) return false;
  for (const [, target = ''] of program.matchAll(ASSIGNED)) if (PATCHED.test(target)) return false;
  for (const [, from, names] of program.matchAll(IMPORT)) {
    const modules = from === undefined ? (names ?? '').split(',') : [from];
    if (!modules.every((name) => SAFE_MODULES.has(rootOf(name)))) return false;
  }
  return true;
}

/** An import statement, also after a colon or a semicolon; a false match inside a string does no harm. */
const IMPORT = /(?:^|[;:])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))/gm;

/** Modules that leave nothing behind for the next test, except through the words below. */
const SAFE_MODULES = new Set(
  (
    'string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json ' +
    'typing os time array decimal fractions cmath dataclasses enum abc numbers textwrap pprint struct hashlib base64 ' +
    'binascii zlib unicodedata calendar types keyword ast graphlib difflib __future__ numpy scipy pandas sympy ' +
    'networkx sortedcontainers'
  ).split(' '),
);

/** Words that change the process, the interpreter or a module beyond a test. New processes are detected separately. */
const STATE_CHANGING = new RegExp(
  '\\b(?:' +
    '__builtins__|__import__|modules|settrace|setprofile|_getframe|setswitchinterval|excepthook|displayhook|' +
    'DefaultContext|register\\w*|reload|kill\\w*|f?chdir|umask|environ|putenv|unsetenv|nice|dup2?|closerange|tzset|' +
    'addaudithook|setfirstweekday|set_blocking|set_inheritable|purge|seterr\\w*|setbufsize|set_printoptions|set_option|' +
    'init_printing' +
    ')\\b',
);

/** A name with all its dots that is assigned to. It begins where no longer one does, so that each is read once. */
const ASSIGNED = /(?<![\w.])([\w.]+)[ \t]*=(?!=)/g;
/** An attribute of a module, or of a class in one. */
const PATCHED =
  /\b(?:string|re|datetime|collections|heapq|bisect|copy|math|random|statistics|itertools|functools|operator|io|json|typing|os|time|decimal|fractions|calendar|sys)\.(?!std(?:in|out|err)\b)[\w.]/;

function rootOf(module: string): string {
  const [name = ''] = module.trim().split(/\s+/);
  return name.split('.')[0] ?? '';
}

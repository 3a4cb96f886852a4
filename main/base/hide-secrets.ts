/** The text that replaces a secret. */
export const HIDDEN = '•••';

/** Names of options, variables, fields and headers whose value is secret: --api-key, HF_TOKEN, AWS_SECRET_ACCESS_KEY. */
const SECRET_NAME =
  /(?:(?:api|access|secret|private|auth)[_-]?key|token|secret|password|passwd|passphrase|credentials?)$|^MARS2_SECRET_/i;
const WORD = /[\w-]+/g;
/** Between a name and its value: `=`, the colon of a header or of JSON, or a space. */
const SEPARATOR = /["']?\s*[=:]\s*|\s+/y;
const VALUE = /"[^"]*"|'[^']*'|[^\s"',;&-][^\s"',;&]*/y;
/** A shorter word after a colon is prose: "unexpected token: {". */
const MIN_LENGTH_AFTER_COLON = 6;

/** Keys of services, recognised by their form wherever they are. */
const KNOWN_KEY =
  /\b(?:sk-|hf_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|nvapi-|npm_|pypi-)[\w-]{8,}/g;
const BEARER = /\b(bearer\s+)[\w.~+/=-]{8,}/gi;
/** The password of `https://user:password@host`. No quote, comma or backslash: JSON and CSV stay what they are. */
const URL_PASSWORD = /(:\/\/[^\s/:@"',\\]*:)[^\s/@"',\\]+@/g;
/** The secret part of a webhook's address. */
const WEBHOOK = /(\bhooks\.slack\.com\/|\/api\/webhooks\/)[^\s"',\\]+/g;
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w+/=\s\\:,.-]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|(?![\w+/=\s\\:,.-]))/g;
/** A key is an argument of its own. */
const WANDB_LOGIN = /\b(wandb\s+login\b)([^\n]*)/g;
const LONG_WORD = /(?<![\w-])\w{16,}/g;

/**
 * Hides what is a secret by its own form: keys with a known start, bearer tokens, passwords in addresses, webhooks and
 * private keys. Text such as a program's stays as it is otherwise. Linear in the length of the text.
 */
export function hideTokens(text: string): string {
  return text
    .replace(PRIVATE_KEY, HIDDEN)
    .replace(BEARER, `$1${HIDDEN}`)
    .replace(KNOWN_KEY, HIDDEN)
    .replace(WEBHOOK, `$1${HIDDEN}`)
    .replace(URL_PASSWORD, `$1${HIDDEN}@`);
}

/**
 * Hides probable secrets in command lines, settings and messages: what `hideTokens` hides, and the value of every option,
 * variable or header whose name says that it is secret. Counts (--max-tokens 100) stay. Linear in the length of the text:
 * every pattern starts at a word and ends before the next one can.
 */
export function hideSecrets(text: string): string {
  const logins = text.replace(WANDB_LOGIN, (_, command: string, words: string) => {
    return command + words.replace(LONG_WORD, HIDDEN);
  });
  return hideTokens(hideNamed(logins));
}

/** Is the value of a setting with this name secret? */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

function hideNamed(text: string): string {
  let shown = '';
  let copied = 0;
  for (WORD.lastIndex = 0; ; ) {
    const [name] = WORD.exec(text) ?? [];
    if (name === undefined) return shown + text.slice(copied);
    if (!SECRET_NAME.test(name)) continue;
    const end = WORD.lastIndex;
    SEPARATOR.lastIndex = end;
    const [between] = SEPARATOR.exec(text) ?? [];
    if (between === undefined || !(name.startsWith('-') || /[=:]/.test(between))) continue;
    VALUE.lastIndex = end + between.length;
    const [value] = VALUE.exec(text) ?? [];
    if (value === undefined || !isSecretValue(name, between, value)) continue;
    // JSON stays JSON.
    const quote = between.includes(':') && /^["']/.test(value) ? value.charAt(0) : '';
    shown += text.slice(copied, end + between.length) + quote + HIDDEN + quote;
    copied = VALUE.lastIndex;
    WORD.lastIndex = copied;
  }
}

function isSecretValue(name: string, between: string, value: string): boolean {
  if (value.startsWith('-')) return false;
  if (/token$/i.test(name) && /^\d+$/.test(value)) return false;
  // Hidden below with the word before it kept, or a scheme whose key follows.
  if (/^(?:bearer|basic)$/i.test(value)) return false;
  return !between.includes(':') || value.length >= MIN_LENGTH_AFTER_COLON;
}

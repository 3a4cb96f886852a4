/** A name that identifies a person or place, and the placeholder that replaces it. */
export type KnownName = { readonly name: string; readonly as: string };

/** What ssh and resolvers say of a host. */
const SSH_HOST = /\b(resolve hostname|connect to host|host key for) "?([\w.:-]{1,255})/gi;
const IN_ADDRESS = /(:\/\/)(?:[^\s/@"'<>]{1,255}@)?([\w.-]{1,255})/g;
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-][\w.-]{0,254}/g;
const DOMAIN =
  /(?<![\w.-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}(?:com|org|net|edu|gov|mil|io|ai|cloud|local|lan|internal|corp|de|fr|uk|cn|jp|kr|ch|it|es|nl|se|fi|dk|eu|ca|au|tw|hk|sg)(?![\w-])/gi;
const IPV4 =
  /(?<![\w.])(?!127\.|0\.0\.0\.0)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.])/g;
const IPV6 =
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){1,7}(?::[0-9a-f]{1,4}){1,4}|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4})(?![\w:])/gi;
const HOME_OF_OTHERS = /(\/(?:home|Users)\/)(?!<)[^\s/"':,;)<>]{1,64}/g;
/** Hosts that are the same for everybody. */
const OF_EVERYBODY =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|app|(?:[\w-]{1,63}\.)?(?:huggingface\.co|arxiv\.org))$/i;

/** Known names, prepared once for many texts. */
export type NameTable = {
  /** By name in lower case. */
  readonly replacements: ReadonlyMap<string, string>;
  /** Of the names, longest first. */
  readonly lengths: readonly number[];
};

export function nameTable(known: readonly KnownName[]): NameTable {
  const named = known.filter(({ name }) => name !== '');
  const replacements = new Map(named.map(({ name, as }) => [name.toLowerCase(), as]));
  const lengths = [...new Set([...replacements.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  return { replacements, lengths };
}

/**
 * Text with placeholders in place of `known` names, wherever they stand as words, and of what is a name by its form:
 * mail addresses, hosts in URLs and in what ssh says, domains, IP addresses, home folders of others. Linear in the length
 * of the text.
 */
export function hideNames(text: string, known: NameTable): string {
  const host = (name: string): string => (OF_EVERYBODY.test(name) ? name : '<host>');
  return hideKnown(text, known)
    .replace(HOME_OF_OTHERS, '$1<user>')
    .replace(IN_ADDRESS, (_, start: string, name: string) => start + host(name))
    .replace(MAIL, '<user>@<host>')
    .replace(SSH_HOST, '$1 <host>')
    .replace(DOMAIN, host)
    .replace(IPV4, '<address>')
    .replace(IPV6, '<address>');
}

const IN_WORD = /[\p{L}\p{N}_]/u;

/**
 * In one pass, longest names first: a placeholder is not replaced again. Looked up, as a lab has thousands of names, which
 * as one regular expression take seconds.
 */
export function hideKnown(text: string, { replacements, lengths }: NameTable): string {
  const lower = text.toLowerCase();
  // Few letters have a lower case of another length; then case counts.
  const folded = lower.length === text.length ? lower : text;
  const isWordAt = (at: number): boolean => at >= 0 && at < text.length && IN_WORD.test(text.charAt(at));
  let shown = '';
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const length = isWordAt(at - 1)
      ? undefined
      : lengths.find((length) => replacements.has(folded.slice(at, at + length)) && !isWordAt(at + length));
    if (length === undefined) {
      at += 1;
      continue;
    }
    shown += text.slice(copied, at) + replacements.get(folded.slice(at, at + length));
    at += length;
    copied = at;
  }
  return shown + text.slice(copied);
}

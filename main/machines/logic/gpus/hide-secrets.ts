/** Names of options and variables whose value is secret: --api-key, HF_TOKEN, PGPASSWORD ... */
const SECRET_NAME = String.raw`[\w-]*(?:api[_-]?key|token|secret|password|passwd)`;

/** `--api-key sk-1`, `--api-key=sk-1`, `HF_TOKEN=hf_1`; a quoted value is one value. Counts (max-tokens 100) stay. */
const NAMED = new RegExp(String.raw`(${SECRET_NAME})(\s*=\s*|\s+)("[^"]*"|'[^']*'|[^\s"']+)`, 'gi');
/** Tokens that are known by how they begin, wherever they stand. */
const KNOWN = /\b(?:sk-|hf_|ghp_|github_pat_|glpat-|xox[abp]-|AKIA)[\w-]{8,}/g;
const IN_ADDRESS = /(\w+:\/\/[^\s/:@]*:)[^\s/@]+@/g;

/** Command lines of other users are shown to the whole lab: hides what looks like a secret in them. */
export function hideSecrets(command: string): string {
  return command
    .replace(NAMED, (whole: string, name: string, between: string, value: string) => {
      const isOption = name.startsWith('-') || between.includes('=');
      return !isOption || value.startsWith('-') || /^\d+$/.test(value) ? whole : `${name}${between}•••`;
    })
    .replace(KNOWN, '•••')
    .replace(IN_ADDRESS, '$1•••@');
}

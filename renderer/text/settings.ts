/** The settings as their screen and the palette name them; `words`: what else a person may look for. */
export const SETTINGS: readonly {
  readonly label: string;
  readonly section: string;
  readonly words: readonly string[];
}[] = [
  { label: 'Theme', section: 'Appearance', words: ['dark', 'light', 'colours'] },
  { label: 'Panes', section: 'Appearance', words: ['sizes', 'reset', 'layout'] },
  { label: 'On closing', section: 'Background service', words: ['window', 'ask', 'pause'] },
  { label: 'Notify when', section: 'Notifications', words: ['notices', 'desktop', 'alerts'] },
  { label: 'Silent jobs', section: 'Notifications', words: ['stalled', 'minutes', 'output'] },
  { label: 'Webhook', section: 'Notifications', words: ['slack', 'url'] },
  { label: 'Largest log of a job', section: 'Jobs', words: ['size', 'limit', 'gigabytes'] },
  { label: 'Currency', section: 'Prices', words: ['money', 'cost'] },
  { label: 'GPU-hour', section: 'Prices', words: ['money', 'cost'] },
  { label: 'Million tokens', section: 'Prices', words: ['money', 'cost'] },
  { label: 'Training cut-offs', section: 'Models', words: ['contamination', 'knowledge', 'date'] },
  { label: 'Stored keys', section: 'API keys', words: ['secret', 'token', 'openai'] },
  { label: 'Add a key', section: 'API keys', words: ['secret', 'token', 'openai'] },
  { label: 'Grading machine', section: 'Grading', words: ['where', 'host'] },
  { label: 'Sandbox', section: 'Grading', words: ['bubblewrap', 'isolation'] },
  { label: 'Without sandbox', section: 'Grading', words: ['untrusted', 'allow'] },
  { label: 'Processes', section: 'Grading', words: ['speed', 'shared', 'harmless'] },
  { label: 'Python to use', section: 'Grading', words: ['interpreter', 'numpy', 'packages'] },
  { label: 'Data folder', section: 'This computer', words: ['path', 'journals', 'where'] },
  { label: 'Version', section: 'This computer', words: ['about'] },
  { label: 'Licences', section: 'This computer', words: ['about', 'license', 'copyright'] },
];

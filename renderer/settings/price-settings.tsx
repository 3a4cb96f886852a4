import type { Settings } from '../../preload/contract/settings';
import { useWorkbench } from '../state/index';
import { SettingEntry } from './entry';
import { SavedText } from './saved-text';
import styles from './settings.module.css';

type Prices = Settings['prices'];

/** More is a slip of the keyboard, which every cost would show. */
const HIGHEST_PRICE = 1_000_000;

function textOf(price: number | null): string {
  return price === null ? '' : String(price);
}

function priceError(text: string): string | null {
  const price = Number(text);
  return text === '' || (price >= 0 && price <= HIGHEST_PRICE)
    ? null
    : 'Enter a number from 0 to 1,000,000, or leave empty';
}

/** Prices for the costs in comparisons; empty prices leave costs unknown. */
export function PriceSettings({ prices }: { readonly prices: Prices }) {
  const { settings } = useWorkbench();
  const change = (part: Partial<Prices>): void => {
    void settings.change({ prices: { ...prices, ...part } });
  };
  const priceOf = (text: string): number | null => (text === '' ? null : Number(text));
  return (
    <dl className={styles.list}>
      <SettingEntry label="Currency">
        <SavedText
          key={prices.currency}
          label="Currency"
          value={prices.currency}
          width={70}
          unit="three letters"
          validate={(text) => (/^[A-Z]{3}$/.test(text) ? null : 'Three capital letters, e.g. EUR')}
          onSave={(currency) => change({ currency })}
        />
      </SettingEntry>
      <SettingEntry label="GPU-hour">
        <SavedText
          key={`gpu ${prices.perGpuHour}`}
          label="Price of a GPU-hour"
          value={textOf(prices.perGpuHour)}
          width={90}
          unit={`${prices.currency}, for models on the lab's own GPUs`}
          validate={priceError}
          onSave={(text) => change({ perGpuHour: priceOf(text) })}
        />
      </SettingEntry>
      <SettingEntry label="Million tokens">
        <SavedText
          key={`tokens ${prices.perMillionTokens}`}
          label="Price of a million tokens"
          value={textOf(prices.perMillionTokens)}
          width={90}
          unit={`${prices.currency}, for external servers; prompt and response tokens alike`}
          validate={priceError}
          onSave={(text) => change({ perMillionTokens: priceOf(text) })}
        />
        <p className={styles.soft}>
          Comparisons show the cost of every configuration and curves over cost. Leave empty if not known.
        </p>
      </SettingEntry>
    </dl>
  );
}

import {
  ActionIcon,
  Autocomplete,
  Button,
  Checkbox,
  Combobox,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Modal,
  SegmentedControl,
  Select,
  Tabs,
  TextInput,
  Tooltip,
} from '@mantine/core';

/** Mantine at our density: the type sizes of tokens.css, 4 px grid, small controls, short and few movements. */
export const mantineTheme = createTheme({
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: {
    xs: 'var(--type-dense)',
    sm: 'var(--type-dense)',
    md: 'var(--type-text)',
    lg: 'var(--type-lead)',
    xl: 'var(--type-title)',
  },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.4' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '2px', sm: '3px', md: '4px', lg: '6px', xl: '8px' },
  defaultRadius: 'md',
  headings: {
    fontFamily: 'var(--font-ui)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--type-title)', lineHeight: '1.3' },
      h2: { fontSize: 'var(--type-lead)', lineHeight: '1.4' },
      h3: { fontSize: 'var(--type-text)', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      // Mantine's white text on filled buttons is unreadable on the light accent of the dark scheme.
      vars: (_theme, { variant = 'filled' }) => ({
        root: variant === 'filled' ? { '--button-color': 'var(--on-accent)' } : {},
      }),
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 'md', variant: 'subtle', color: 'gray' } }),
    Autocomplete: Autocomplete.extend({ defaultProps: { size: 'xs' } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'xs' } }),
    Combobox: Combobox.extend({ defaultProps: { keepMounted: false } }),
    Select: Select.extend({ defaultProps: { size: 'xs' } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs', transitionDuration: 0 } }),
    Tabs: Tabs.extend({ defaultProps: { keepMounted: false } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 350, transitionProps: { duration: 0 } } }),
    Checkbox: Checkbox.extend({ defaultProps: { iconColor: 'var(--on-accent)' } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Modal: Modal.extend({
      defaultProps: {
        transitionProps: { duration: 0 },
        overlayProps: { backgroundOpacity: 0.3 },
        yOffset: '14vh',
        size: 'sm',
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
  },
});

/** Joins Mantine's own colour names to our tokens, the same in both schemes: the tokens know the scheme. */
export const mantineVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-bright': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-soft)',
    '--mantine-color-placeholder': 'var(--text-faint)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-strong)',
    '--mantine-primary-color-light': 'var(--accent-soft)',
    '--mantine-primary-color-light-hover': 'var(--accent-soft)',
    '--mantine-primary-color-light-color': 'var(--accent)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
    '--mantine-color-blue-filled': 'var(--accent)',
    '--mantine-color-blue-filled-hover': 'var(--accent-strong)',
    '--mantine-color-blue-light': 'var(--accent-soft)',
    '--mantine-color-blue-light-hover': 'var(--accent-soft)',
    '--mantine-color-blue-light-color': 'var(--accent)',
    '--mantine-color-red-filled': 'var(--bad)',
    '--mantine-color-red-light': 'var(--bad-soft)',
    '--mantine-color-red-light-color': 'var(--bad)',
    '--mantine-color-gray-light': 'var(--hover)',
    '--mantine-color-gray-light-hover': 'var(--hover)',
    '--mantine-color-gray-light-color': 'var(--text-soft)',
  };
  return { variables: {}, light: shared, dark: shared };
};

import { colorsTuple, createTheme, type CSSVariablesResolver } from '@mantine/core';

/** Shades and sizes with at least 4.5:1 of contrast in both colour schemes (WCAG 2.2, 1.4.3). */
const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  components: {
    Alert: { defaultProps: { variant: 'outline' } },
    // Distinguished from the text around it by more than colour (WCAG 2.2, 1.4.1).
    Anchor: { defaultProps: { underline: 'always' } },
    // The name of the cross for screen readers.
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // A dialog's title is in a <header>, which is not a banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** The theme with the bank's colour, if it has one. */
export const themeOf = (color: string | null) =>
  color === null ? theme : { ...theme, primaryColor: 'brand', colors: { brand: shadesOf(color) } };

/** The shares of white in the ten shades; the ninth is the colour itself, and the last one is darker. */
const WHITE = [0.95, 0.88, 0.76, 0.64, 0.5, 0.38, 0.25, 0.12, 0, -0.15];

const shadesOf = (color: string) =>
  colorsTuple(WHITE.map((share) => color.replaceAll(/[0-9a-f]{2}/gi, (pair) => mixed(pair, share))));

function mixed(pair: string, share: number): string {
  const part = Number.parseInt(pair, 16) * (1 - Math.abs(share)) + 255 * Math.max(0, share);
  return Math.round(part).toString(16).padStart(2, '0');
}

/** The contrast of the library's own greys for secondary and error text is too low. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-primary-color-9)',
    '--mantine-color-green-outline': '#1b5e2b',
    '--mantine-color-yellow-outline': '#8a5300',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-primary-color-3)',
  },
});

import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core'
import { dark, light } from './tokens.ts'

/** Filled buttons take their colours from the tokens, so that their contrast holds in both schemes. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const kind = input.color === 'no' ? 'no' : 'accent'
  if (input.variant === 'filled') {
    return { background: `var(--${kind})`, hover: `var(--${kind}-hover)`, color: `var(--on-${kind})`, border: 'none' }
  }
  if (input.variant === 'subtle' && input.color !== 'gray') {
    return { background: 'transparent', hover: `var(--${kind}-ground)`, color: `var(--${kind})`, border: 'none' }
  }
  return defaultVariantColorsResolver(input)
}

const button = { '--button-height': '34px', '--button-padding-x': '12px', '--button-fz': '14px' }
const smallButton = { '--button-height': '30px', '--button-padding-x': '10px', '--button-fz': '13px' }

const veil = { color: 'var(--veil)', backgroundOpacity: 1 }

// A page has one banner; the head of a dialog is not one.
const plainHeader = { header: { role: 'none' } }

// The list itself scrolls, not a box in it: screen readers know listboxes, and keys reach them.
const choices = { withScrollArea: false, styles: { options: { maxHeight: 280, overflowY: 'auto' } } }

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 3 },
  colors: {
    // From the light to the dark backgrounds, with the dark scheme's accent at index 3 and the light one's at index 7.
    accent: [
      light['accent-ground'],
      light['accent-ground'],
      dark['accent-hover'],
      dark.accent,
      dark.accent,
      light.accent,
      light.accent,
      light.accent,
      light['accent-hover'],
      dark['accent-ground'],
    ],
    // The components' own colours for borders, hovers and backgrounds, from the same tokens.
    gray: [
      light.ground,
      light['line-soft'],
      light.line,
      '#d3d8df',
      light.line,
      '#868f9d',
      light.soft,
      '#3d4a63',
      '#263040',
      light.ink,
    ],
    dark: [
      dark.ink,
      '#c3cbd6',
      dark.soft,
      dark.soft,
      dark.line,
      dark['line-soft'],
      dark.panel,
      dark.panel,
      dark.ground,
      '#0a0e14',
    ],
  },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.5', xl: '1.3' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'md',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '24px' },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '20px', lineHeight: '1.3' }, h2: { fontSize: '16px', lineHeight: '1.4' } },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver,
  // Selected by name, not imported: the sign-in page then loads only its own.
  components: {
    Button: {
      vars: (_: unknown, { size }: { size?: unknown }) => ({ root: size === 'xs' ? smallButton : button }),
    },
    ActionIcon: { defaultProps: { variant: 'default', size: 34 } },
    Drawer: { defaultProps: { position: 'right', size: 460, overlayProps: veil, attributes: plainHeader } },
    Modal: { defaultProps: { centered: true, radius: 'xl', overlayProps: veil, attributes: plainHeader } },
    Menu: {
      defaultProps: { shadow: 'md', position: 'bottom-end', offset: 6, withInitialFocusPlaceholder: false },
    },
    Select: { defaultProps: choices },
    MultiSelect: { defaultProps: choices },
    TagsInput: { defaultProps: choices },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } } },
  },
})

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-placeholder': 'var(--soft)', '--mantine-shadow-md': 'var(--shadow)' },
  light: schemeVariables(light),
  dark: schemeVariables(dark),
})

function schemeVariables(tokens: typeof light | typeof dark) {
  const own = Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value]))
  return {
    ...own,
    '--mantine-color-body': tokens.panel,
    '--mantine-color-text': tokens.ink,
    '--mantine-color-bright': tokens.ink,
    '--mantine-color-dimmed': tokens.soft,
    '--mantine-color-placeholder': tokens.soft,
    '--mantine-color-anchor': tokens.accent,
    '--mantine-color-error': tokens.no,
    '--mantine-color-default': tokens.panel,
    '--mantine-color-default-hover': tokens['line-soft'],
    '--mantine-color-default-color': tokens.ink,
    '--mantine-color-default-border': tokens.line,
    '--mantine-color-disabled': tokens['line-soft'],
    '--mantine-color-disabled-color': tokens.soft,
    '--mantine-color-disabled-border': tokens.line,
    '--mantine-primary-color-filled': tokens.accent,
    '--mantine-primary-color-filled-hover': tokens['accent-hover'],
    '--mantine-primary-color-light': tokens['accent-ground'],
    '--mantine-primary-color-light-color': tokens.accent,
    '--mantine-primary-color-contrast': tokens['on-accent'],
    '--mantine-color-accent-filled': tokens.accent,
    '--mantine-color-accent-light': tokens['accent-ground'],
    '--mantine-color-accent-light-color': tokens.accent,
  }
}

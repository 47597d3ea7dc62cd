import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/v4/core'
import { App } from './app.tsx'
import { direction, language } from './text/language.ts'
import { loadTranslation } from './text/translation.ts'
import './theme/mantine-styles.ts'

// The content security policy forbids code from strings, which the schema library would otherwise use to run faster.
config({ jitless: true })

document.documentElement.lang = language
document.documentElement.dir = direction

const root = document.getElementById('root')
if (root) void loadTranslation().then(() => show(root))

function show(element: HTMLElement) {
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

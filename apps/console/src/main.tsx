import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/v4/core'
import { App } from './app.tsx'
import './theme/mantine-styles.ts'

// The content security policy forbids code from strings, with which the schemas would otherwise try to run faster.
config({ jitless: true })

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

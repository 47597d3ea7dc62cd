import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The host stays the browser's own, for the server refuses changes that come from another origin.
const server = { target: 'http://localhost:3000', changeOrigin: false }

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2023', assetsInlineLimit: 0, manifest: true },
  server: {
    proxy: { '/api': server, '/config': server, '/assets/policy': server, '/primus': { ...server, ws: true } },
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Keeps the Host header of the browser, because the server refuses changes from another origin.
const server = { target: 'http://localhost:3000', changeOrigin: false }

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2023', assetsInlineLimit: 0, manifest: true },
  server: {
    proxy: { '/api': server, '/config': server, '/assets/policy': server, '/primus': { ...server, ws: true } },
  },
})

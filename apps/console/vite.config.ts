import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Keeps the Host header of the browser, because the server refuses changes from another origin.
const server = { target: 'http://localhost:3000', changeOrigin: false }

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      output: {
        // The sign-in page lists all other chunks: short hashes make this list shorter.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // The sign-in page is one file, and so is all that screens share. Otherwise each screen loads about 100 small files.
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 1 },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/config': server, '/assets/policy': server, '/primus': { ...server, ws: true } },
  },
})

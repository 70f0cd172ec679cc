import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    env: 'src/env.ts',
    bridge: 'src/bridge.ts',
    testing: 'src/testing.ts',
    cli: 'src/cli/bin.ts',
    // Started as a process of its own, so it must be a file of its own beside whatever chunk starts it.
    'watchdog-process': 'src/run/watchdog-process.js',
    'cursor-stand-in-process': 'src/testing/cursor-stand-in-process.js',
    'fake-cli-process': 'src/testing/fake-cli-process.js',
  },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: {
    entry: { index: 'src/index.ts', env: 'src/env.ts', bridge: 'src/bridge.ts', testing: 'src/testing.ts' },
    // tsup 8 sets `baseUrl` on its own, which TypeScript 6 refuses without this word.
    compilerOptions: { ignoreDeprecations: '6.0' },
  },
})

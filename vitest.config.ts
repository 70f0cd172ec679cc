import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The real CLIs are processes of their own beside the worker.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/real/**', 'test/package/**', 'test/browser/**', 'test/clis/**'],
          testTimeout: 20_000,
          // Some await real processes; a machine that is busy with other things is no fault of theirs.
          retry: 1,
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          globalSetup: ['test/real/install-clis.ts'],
          // After the quick ones.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          // The CLIs have races of their own: codex 0.113 drops events under load, and says so.
          retry: 2,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/build-package.ts', 'test/real/install-clis.ts'],
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          retry: 1,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/package/install-consumer.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})

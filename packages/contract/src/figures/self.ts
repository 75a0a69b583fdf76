import type { FiguresOf } from './figure.ts'

/** Pulse itself. Its samples also show when Pulse ran. */
export const metaFigures: FiguresOf<'meta'> = {
  liveClients: { unit: 'count', read: ({ stats }) => stats.webSocketClients, history: 'gauge' },
  memoryUsed: { unit: 'bytes', read: ({ process }) => process?.rssBytes, history: 'gauge' },
  loopWait: { unit: 'ms', read: ({ process }) => process?.loopWaitMs, history: 'gauge' },
  pollDuration: { unit: 'ms', read: ({ process }) => process?.pollMs, history: 'gauge' },
  callsPerMinute: { unit: 'count', read: ({ process }) => process?.callsPerMinute, history: 'gauge' },
  written: { unit: 'bytes/s', read: ({ process }) => process?.writtenPerSecond, history: 'rate' },
}

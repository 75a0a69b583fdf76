import type { Meta } from '@pulse/contract'

/** A product that has just started and monitors nothing. */
export function aMeta(change: Partial<Meta> = {}): Meta {
  return {
    performance: {
      apiCallDuration: {},
      lastPollDuration: 0,
      pollingStartTime: '2026-01-01T00:00:00.000Z',
      totalApiCalls: 0,
      failedApiCalls: 0,
      cacheHits: 0,
      cacheMisses: 0,
    },
    stats: {
      startTime: '2026-01-01T00:00:00.000Z',
      pollingCycles: 0,
      webSocketClients: 0,
      version: '0.1.0',
    },
    notices: [],
    ...change,
  }
}

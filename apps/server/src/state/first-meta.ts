import type { Meta } from '@pulse/contract'

/** The meta record of a product that has just started and monitors nothing yet. */
export function firstMeta(
  startedAt: number,
  version: string,
  notices: readonly string[],
  isCluster = false,
): Meta {
  return {
    performance: {
      apiCallDuration: {},
      lastPollDuration: 0,
      pollingStartTime: new Date(startedAt).toISOString(),
      totalApiCalls: 0,
      failedApiCalls: 0,
      cacheHits: 0,
      cacheMisses: 0,
    },
    stats: {
      startTime: new Date(startedAt).toISOString(),
      pollingCycles: 0,
      webSocketClients: 0,
      version,
    },
    notices: notices.map((message, n) => ({ id: `start-${n}`, level: 'warning' as const, message })),
    ...(isCluster && { isCluster }),
  }
}

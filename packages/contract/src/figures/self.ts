import type { FiguresOf } from './figure.ts'

/** Pulse itself. Its samples also show when Pulse ran. */
export const metaFigures: FiguresOf<'meta'> = {
  liveClients: { unit: 'count', read: ({ stats }) => stats.webSocketClients, history: 'gauge' },
}

// Records, and parts of them, with the figures that alert rules judge.
import type { MailHour, QueueStatus } from '@pulse/contract'
import { aGuestDisk, aMailGateway, aPmgBackup } from '@pulse/testkit'
import { dayMs, hourMs, T0 } from './fixtures.ts'

const queue = (deferred: number): QueueStatus => ({
  total: deferred,
  active: 0,
  deferred,
  hold: 0,
  incoming: 0,
  updatedAt: '2026-01-01T12:00:00Z',
})
export const queues = (deferred: number, change: object = {}) => ({
  pmg: [
    aMailGateway({
      nodes: [{ name: 'a', role: 'node', status: 'online', loadAvg: '', queueStatus: queue(deferred) }],
      ...change,
    }),
  ],
})
export const quarantine = (spam: number) => ({
  pmg: [aMailGateway({ nodes: [], quarantine: { spam, virus: 0, attachment: 0 } })],
})
export const hours = (...last: number[]) => ({
  pmg: [
    aMailGateway({
      nodes: [],
      mailCount: [...Array.from({ length: 16 }, () => 20), ...last].map((spamIn, index): MailHour => {
        const began = new Date(T0 - (18 - index) * hourMs).toISOString()
        const none = { count: 0, countIn: 0, countOut: 0, spamOut: 0, virusIn: 0, virusOut: 0 }
        const more = { rblRejects: 0, pregreet: 0, bouncesIn: 0, bouncesOut: 0 }
        return { timestamp: began, windowStart: began, timeframe: 'hour', index, spamIn, ...none, ...more }
      }),
    }),
  ],
})
export const pool = (state: string) => ({
  name: 'tank',
  state,
  readErrors: 0,
  writeErrors: 0,
  checksumErrors: 0,
  devices: [],
})
export const gib = 1024 ** 3
export const full = (usage: number) => ({ usage, used: usage * gib, total: 100 * gib })
export const fileSystem = (usage: number) => ({ disks: [aGuestDisk('/srv', usage)] })
export const fullIn = (days: number) => ({ forecast: { fullAt: T0 + days * dayMs } })
export const held = (daysAgo: number) => ({ at: T0 - daysAgo * dayMs, instance: 'main' })
export const file = (daysAgo: number, filename: string) =>
  aPmgBackup({
    source: 'mail',
    node: 'a',
    filename,
    backupTime: new Date(T0 - daysAgo * dayMs).toISOString(),
  })

import type { RecordKind } from '@pulse/contract'
import { guestOfFileSystem } from '@pulse/domain'
import type { ChartTone } from '../chart/series.ts'

export interface HistoryLine {
  /** name of the figure in the catalogue */
  field: string
  label: string
  /** default: the accent colour */
  tone?: ChartTone
  /** a ratio that is not a share of 100 % */
  isFactor?: true
  dash?: readonly number[]
  /** of another time or thing: its gaps are not those of the chart */
  isApart?: true
}

/** A chart. All its lines have the same unit. */
export interface HistoryChart {
  title: string
  lines: readonly HistoryLine[]
}

export interface KindHistory {
  charts: readonly HistoryChart[]
  /** the words for a gap in which the thing did not run; absent if no figure tells that it does not */
  stopped?: string
}

const one = (title: string, field: string): HistoryChart => ({ title, lines: [{ field, label: title }] })
const both = (title: string, first: HistoryLine, second: HistoryLine): HistoryChart => ({
  title,
  lines: [first, { tone: 'neutral', ...second }],
})

/** The charts of each kind of record, from the figures that the catalogue marks as sampled. */
export const historyOfKind: Partial<Record<RecordKind, KindHistory>> = {
  guests: {
    stopped: 'Stopped',
    charts: [
      one('CPU', 'cpu'),
      one('Memory', 'memory'),
      one('Disk', 'disk'),
      both('Network', { field: 'networkIn', label: 'Received' }, { field: 'networkOut', label: 'Sent' }),
      both('Disk I/O', { field: 'diskRead', label: 'Read' }, { field: 'diskWrite', label: 'Written' }),
    ],
  },
  /** of guests */
  fileSystems: { stopped: 'Stopped', charts: [one('Usage', 'usage')] },
  nodes: {
    stopped: 'Offline',
    charts: [
      one('CPU', 'cpu'),
      one('Memory', 'memory'),
      one('Disk', 'disk'),
      one('Temperature', 'temperature'),
      one('Swap used', 'swapUsed'),
    ],
  },
  storage: {
    stopped: 'Not available',
    charts: [one('Usage', 'usage'), one('Used', 'used')],
  },
  physicalDisks: {
    charts: [one('Temperature', 'temperature'), one('Remaining life', 'lifeRemaining')],
  },
  cephClusters: { charts: [one('Usage', 'usage'), one('Used', 'used')] },
  pbs: {
    charts: [one('CPU', 'cpu'), one('Memory', 'memory'), one('Memory used', 'memoryUsed')],
  },
  datastores: {
    stopped: 'Not available',
    charts: [
      one('Usage', 'usage'),
      one('Used', 'used'),
      {
        title: 'Deduplication factor',
        lines: [{ field: 'deduplication', label: 'Deduplication factor', isFactor: true }],
      },
    ],
  },
  pmg: {
    charts: [
      both('Mail in 24 hours', { field: 'mailIn', label: 'In' }, { field: 'mailOut', label: 'Out' }),
      both('Blocked in 24 hours', { field: 'spamIn', label: 'Spam' }, { field: 'virusIn', label: 'Viruses' }),
      one('Queued', 'queued'),
      both('Deferred and held', { field: 'deferred', label: 'Deferred' }, { field: 'held', label: 'Held' }),
      one('Oldest mail', 'oldestMail'),
      one('Quarantined', 'quarantined'),
      both(
        'Spam and viruses in quarantine',
        { field: 'quarantinedSpam', label: 'Spam' },
        { field: 'quarantinedViruses', label: 'Viruses' },
      ),
    ],
  },
  dockerHosts: {
    stopped: 'Offline',
    charts: [
      one('CPU', 'cpu'),
      one('Memory', 'memory'),
      one('Memory used', 'memoryUsed'),
      one('Running containers', 'running'),
    ],
  },
  dockerContainers: {
    stopped: 'Stopped',
    charts: [one('CPU', 'cpu'), one('Memory', 'memory'), one('Memory used', 'memoryUsed')],
  },
  /** Pulse itself */
  meta: {
    charts: [
      one('Calls per minute', 'callsPerMinute'),
      one('Longest polling cycle', 'pollDuration'),
      one('Event loop delay', 'loopWait'),
      one('Memory used', 'memoryUsed'),
      one('Written to disk', 'written'),
      one('Open browsers', 'liveClients'),
    ],
  },
}

/** What the alerts, changes and backups beside the charts are about: of a file system, its guest. */
export const ownerOf = ({ kind, id }: { kind: RecordKind; id: string }): { kind: RecordKind; id: string } =>
  kind === 'fileSystems' ? { kind: 'guests', id: guestOfFileSystem(id) } : { kind, id }

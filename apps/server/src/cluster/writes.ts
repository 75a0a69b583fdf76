import type { Clock } from '@pulse/domain'
import type { Table } from '../row-cache.ts'
import type { Bus } from './nats/bus.ts'
import { changedRows } from './nats/subjects.ts'

/** Rows of these are in no memory. */
const uncached: readonly (Table | 'all')[] = [
  'alerts',
  'alert_memory',
  'alert_history',
  'audit',
  'deliveries',
  'leadership',
  'meta',
  'notification_log',
  'schema_migrations',
  'sign_in_attempts',
]
/** A change of many rows is one message. */
const gatherMs = 50
const mostTables = 100

export interface SharedWrites {
  /** This process has changed rows of the table. */
  note(table: Table | 'all'): void
  /** The others read everything again: they may have missed something. */
  announceAll(): void
  /** a moment in the order of its own writes */
  now(): number
  /** the tables that it has changed since that moment */
  since(moment: number): (Table | 'all')[]
  stop(): void
}

interface SharedWritesEdges {
  bus: Pick<Bus, 'nats'>
  /** this process */
  own: string
  clock: Pick<Clock, 'after'>
  /** Another process has changed rows of these tables; undefined: of any. */
  onWritten: (tables: readonly Table[] | undefined) => void
}

/** Which tables the processes of a cluster change, so that each reads again what it keeps in memory. */
export function shareWrites({ bus, own, clock, onWritten }: SharedWritesEdges): SharedWrites {
  let moment = 0
  const lastAt = new Map<Table | 'all', number>()
  const gathered = new Set<Table | 'all'>()
  let cancel: (() => void) | undefined

  const heard = bus.nats.subscribe(changedRows, {
    callback(_, message) {
      const [from, ...tables] = message.string().split(' ')
      if (from === own || tables.length > mostTables) return
      onWritten(tables.includes('all') ? undefined : (tables as Table[]))
    },
  })

  function send() {
    cancel = undefined
    if (!bus.nats.isClosed()) bus.nats.publish(changedRows, [own, ...gathered].join(' '))
    gathered.clear()
  }

  return {
    note(table) {
      if (uncached.includes(table)) return
      lastAt.set(table, ++moment)
      gathered.add(table)
      cancel ??= clock.after(gatherMs, send)
    },
    announceAll() {
      gathered.add('all')
      cancel ??= clock.after(gatherMs, send)
    },
    now: () => moment,
    since: (before) => [...lastAt].filter(([, at]) => at > before).map(([table]) => table),
    stop() {
      heard.unsubscribe()
      if (!cancel) return
      cancel()
      send()
    },
  }
}

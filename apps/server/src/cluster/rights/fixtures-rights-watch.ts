import type { Clock } from '@pulse/domain'
import type { Table } from '../../row-cache.ts'
import { createSignal } from '../../signal.ts'
import { type JudgeCard, watchRights } from './rights-watch.ts'

interface WatchedDatabase {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Whether it answers. */
  isUp: () => boolean | Promise<boolean>
  canRead: () => boolean
  marks: () => Readonly<Record<string, number>>
  /** Rows of these tables have been read again. */
  onRows?: (tables: readonly Table[]) => void
  wroteAt?: () => number
  /** of all processes; undefined: the list cannot be read */
  processes?: () => readonly JudgeCard[] | undefined
}

/** A watch of rights, and what it has said whenever they became known or unknown. */
export function watchedRights({
  clock,
  isUp,
  canRead,
  marks,
  onRows = () => {},
  wroteAt = () => -Infinity,
  processes = () => judges().map((card) => ({ ...card, databaseAgeMs: 0, hasDatabase: true })),
}: WatchedDatabase) {
  const read = createSignal<[tables?: readonly Table[]]>()
  const unread = createSignal<[named: readonly Table[]]>()
  const changes: boolean[] = []
  const watch = watchRights({
    clock,
    async marks(tables) {
      if (!(await isUp())) throw new Error('the server does not answer')
      return tables.map((table) => String(marks()[table] ?? 0))
    },
    onRead: read.on,
    async read(tables) {
      read.emit(tables)
      if (!canRead()) throw new Error('the server does not answer')
      onRows(tables)
    },
    async processes() {
      const cards = processes()
      if (!cards) throw new Error('a bucket cannot be read')
      return cards
    },
    onUnread: unread.on,
    wroteAt,
    site: 'main',
  })
  watch.onChange(() => void changes.push(watch.areKnown()))
  return { watch, changes, read, unread }
}

/** One that leads, another one, and one that only serves. */
export const judges = (): JudgeCard[] => [
  judge('a', { leads: true }),
  judge('b'),
  { ...judge('page'), roles: ['serve'] },
]

export const judge = (id: string, more: Partial<JudgeCard> = {}): JudgeCard => ({
  id,
  site: 'main',
  roles: ['judge'],
  leads: false,
  ...more,
})

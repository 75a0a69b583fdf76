import type { Forecast, ForecastKind } from '@pulse/contract'
import { useId, useState } from 'react'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { kindLabel } from '../../parts/changes/change-kinds.ts'
import { FullIn } from '../../parts/forecast/full-in.tsx'
import { forecastNote } from '../../parts/forecast/words.ts'
import { guestForecasts } from '../../parts/guests/guest-forecast.ts'
import { guestName } from '../../parts/guests/guest-name.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { RankedItem } from './ranked-item.tsx'

const mostWhileFolded = 10
/** On a narrow screen the others would push the changes out of the window. */
const mostWhileNarrow = 3
const tickMs = 60_000

interface Filling {
  kind: ForecastKind
  id: string
  name: string
  where: string | undefined
  /** one of several of a guest */
  fileSystem?: string | undefined
  /** of that file system */
  key?: string | undefined
  forecast: Forecast
}

const readKinds = ['datastores', 'pbs', 'storage', 'cephClusters', 'guests'] as const

/** Whatever has a date on which it will be full, the soonest first. A datastore that a cluster uses counts once. */
const selectFilling = perVersion(
  readKinds,
  (live: LiveReader): readonly Filling[] => {
    const found: Filling[] = []
    const add = (kind: ForecastKind, id: string, name: string, where?: string, forecast?: Forecast) => {
      if (forecast?.fullAt !== undefined) found.push({ kind, id, name, where, forecast })
    }
    const datastores = live.records('datastores')
    const names = new Set([...datastores.values()].map(({ name }) => name))
    for (const [id, { name, source, forecast }] of datastores)
      add('datastores', id, name, live.records('pbs').get(source ?? '')?.name, forecast)
    for (const [id, { name, shared, instance, node, pbs, forecast }] of live.records('storage'))
      if (!pbs || !names.has(pbs.datastore)) add('storage', id, name, shared ? instance : node, forecast)
    for (const [id, { name, forecast }] of live.records('cephClusters'))
      add('cephClusters', id, name, undefined, forecast)
    for (const [id, guest] of live.records('guests'))
      for (const one of guestForecasts(guest))
        found.push({ kind: 'guests', id, name: guestName(guest), where: guest.node, ...one })
    return found.toSorted((a, b) => a.forecast.fullAt! - b.forecast.fullAt!)
  },
  (a, b) => a.length === b.length && a.every((one, n) => isSame(one, b[n]!)),
)

const isSame = (a: Filling, b: Filling) =>
  a.kind === b.kind &&
  a.id === b.id &&
  a.name === b.name &&
  a.where === b.where &&
  a.fileSystem === b.fileSystem &&
  a.key === b.key &&
  a.forecast === b.forecast

/** What will be full first: storages, datastores, Ceph clusters, disks and file systems of guests. */
export function FullFirst() {
  const filling = useLive(readKinds, selectFilling)
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  if (filling.length === 0) return null
  const isFolded = filling.length > mostWhileFolded && !isOpen
  const shown = isFolded ? filling.slice(0, mostWhileFolded) : filling
  return (
    <Card aria-label="Full first" className="overflow-clip">
      <h2 className="border-b border-line px-3 py-2 text-sm font-semibold">Full first</h2>
      <ol id={listId} className="divide-y divide-line text-table">
        {shown.map(({ key, ...one }, n) => (
          <FillingItem
            key={`${one.kind} ${one.id} ${key ?? ''}`}
            {...one}
            className={cx(n >= mostWhileNarrow && !isOpen && 'max-lg:hidden')}
          />
        ))}
      </ol>
      {filling.length > mostWhileNarrow && (
        <div
          className={cx(
            'border-t border-line p-2 text-center',
            filling.length <= mostWhileFolded && 'lg:hidden',
          )}
        >
          <Button aria-expanded={isOpen} aria-controls={listId} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show all ${filling.length}`}
          </Button>
        </div>
      )}
    </Card>
  )
}

function FillingItem({ className, ...one }: Filling & { className: string }) {
  const { where, forecast } = one
  const note = useNow(tickMs, (now) => forecastNote(forecast, now))
  return (
    <RankedItem thing={one} about={[whatOf(one), where]} note={note} className={className}>
      <FullIn forecast={forecast} />
    </RankedItem>
  )
}

function whatOf({ kind, fileSystem }: Filling): string {
  if (kind !== 'guests') return kindLabel(kind)
  return fileSystem === undefined ? 'Disk of guest' : `File system ${fileSystem}`
}

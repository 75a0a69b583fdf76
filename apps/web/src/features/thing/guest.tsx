import { guestRates, sampledGuestFields } from '@pulse/contract'
import { memo, useCallback } from 'react'
import { formatNumber, formatBytes } from '../../lib/format.ts'
import { useLive } from '../../live/use-live.ts'
import { usedOfTotal } from '../../parts/cells/cells.tsx'
import { GuestPanels } from '../../parts/guests/guest-panels.tsx'
import { unknownDisk } from '../../parts/guests/disk-reason.ts'
import { estimateReason, type GuestView, useGuestView } from '../../parts/guests/guest-view.ts'
import { allChangesOf } from '../../parts/changes/all-changes.ts'
import { ChangesCard } from '../../parts/changes/changes-card.tsx'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { Alerts } from './alerts.tsx'
import { Backups } from './backups.tsx'
import { Figures, RateFigure, UsageFigure } from './figures.tsx'
import { GuestHead } from './guest-head.tsx'
import { Replication } from './replication.tsx'
import { Section, SectionBody } from './section.tsx'
import { guestName } from '../../parts/guests/guest-name.ts'

/** Each part subscribes to what it shows, so that an update draws the figures only. */
export const Guest = memo(function Guest({ id }: { id: string }) {
  const { name, wireId } = useNames(id)
  return (
    <>
      <GuestHead id={id} />
      <GuestFigures id={id} />
      <Alerts resourceId={wireId} name={name} />
      <Section title="History">
        <SectionBody>
          <HistoryCharts kind="guests" id={id} name={name} alertId={wireId} />
        </SectionBody>
      </Section>
      <Section title="Changes" more={{ to: allChangesOf({ kind: 'guests', id }), text: 'All changes' }}>
        <ChangesCard kind="guests" id={id} name={name} />
      </Section>
      <GuestReport id={id} />
      <Backups id={id} />
      <Replication guestId={id} />
    </>
  )
})

/** The names of the guest, which rarely change. */
function useNames(id: string): { name: string; wireId: string } {
  const name = useLive(
    ['guests'],
    useCallback(
      (live) => {
        const guest = live.get('guests', id)
        return guest ? guestName(guest) : ''
      },
      [id],
    ),
  )
  const wireId = useLive(
    ['guests'],
    useCallback((live) => live.get('guests', id)?.id ?? '', [id]),
  )
  return { name, wireId }
}

function GuestFigures({ id }: { id: string }) {
  const view = useGuestView(id)
  if (!view) return null
  const { guest, stale, cpuPercent, memoryPercent, memoryEstimate, diskPercent, rates } = view
  return (
    <Figures>
      <UsageFigure label="CPU" percent={cpuPercent} scale="cpu" stale={stale} note={coresText(guest.cpus)} />
      <UsageFigure
        label="Memory"
        percent={memoryPercent}
        scale="memory"
        stale={stale}
        estimate={memoryEstimate !== undefined}
        note={memoryNote(view)}
      />
      <UsageFigure label="Disk" percent={diskPercent} scale="disk" stale={stale} note={diskNote(view)} />
      {guestRates.map((rate) => (
        <RateFigure
          key={rate}
          label={sampledGuestFields[rate].column}
          bytesPerSecond={rates[rate]}
          stale={stale}
        />
      ))}
    </Figures>
  )
}

const coresText = (cpus: number) =>
  cpus > 0 ? `${formatNumber(cpus)} ${cpus === 1 ? 'core' : 'cores'}` : undefined

function memoryNote({ memoryPercent, memoryEstimate, guest: { memory } }: GuestView): string | undefined {
  if (!memory || memory.total <= 0) return undefined
  if (memoryPercent === undefined) return formatBytes(memory.total)
  const used = usedOfTotal(memory.used, memory.total)
  return memoryEstimate ? `${used}. ${estimateReason[memoryEstimate]}` : used
}

function diskNote(view: GuestView): string | undefined {
  const { disk } = view.guest
  if (view.diskPercent !== undefined) return usedOfTotal(disk?.used, disk?.total)
  return unknownDisk(view) ?? (disk && disk.total > 0 ? formatBytes(disk.total) : undefined)
}

/** What the guest reports besides its figures. */
function GuestReport({ id }: { id: string }) {
  const view = useGuestView(id)
  if (!view) return null
  return (
    <Section title="System, file systems and network">
      <SectionBody>
        <GuestPanels id={id} view={view} withRates={false} withBasics={false} />
      </SectionBody>
    </Section>
  )
}

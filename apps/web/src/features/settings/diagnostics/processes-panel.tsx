import type { ProcessCheck } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/panel.tsx'
import { When } from '../when.tsx'
import { Facts } from './facts.tsx'

const roleNames: Record<ProcessCheck['roles'][number], string> = {
  collect: 'collect',
  judge: 'judge (can lead)',
  serve: 'serve',
}

/** The processes that watch this estate together. */
export const ProcessesPanel = ({ processes }: { processes: readonly ProcessCheck[] }) => (
  <Panel
    title="Processes"
    description="The Pulse processes that watch this estate together. One of them leads: it raises alerts and sends notifications."
    flush
  >
    {processes.map((one, n) => (
      <ProcessCard key={`${one.host} ${one.startedAt} ${n}`} process={one} />
    ))}
  </Panel>
)

function ProcessCard({ process }: { process: ProcessCheck }) {
  const { host, site, version, roles, leads, isRemote, hasDatabase, sources, waiting } = process
  return (
    <article
      aria-label={host}
      className="flex flex-col gap-2 border-t border-line px-4 py-3 first:border-t-0"
    >
      <h3 className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm font-semibold">
        <span className="min-w-0 break-all">{host}</span>
        {leads && <span className="text-xs font-medium text-green">Leads</span>}
        {isRemote && <span className="text-xs font-medium text-ink-2">Collector elsewhere</span>}
        {hasDatabase === false && <span className="text-xs font-medium text-red">Database unreachable</span>}
      </h3>
      <Facts
        facts={[
          { label: 'Site', value: site },
          { label: 'Roles', value: roles.map((role) => roleNames[role]).join(', ') || 'none' },
          { label: 'Version', value: version },
          { label: 'Leases', value: leasesText(sources, leads) },
          // a collector elsewhere reads nothing about the estate
          ...(isRemote ? [] : [{ label: 'Lag', value: counted(waiting, 'message') }]),
          { label: 'Started', value: <When time={process.startedAt} inline="ago" /> },
          { label: 'Last word', value: <When time={process.lastWord} inline="ago" /> },
        ]}
      />
    </article>
  )
}

/** '12 sources', or '12 sources and the lead' */
const leasesText = (sources: number, leads: boolean) =>
  `${counted(sources, 'source')}${leads ? ' and the lead' : ''}`

const counted = (count: number, one: string) => `${formatNumber(count)} ${one}${count === 1 ? '' : 's'}`

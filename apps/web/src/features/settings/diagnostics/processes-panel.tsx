import type { ProcessCheck } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/panel.tsx'
import { When } from '../when.tsx'
import { Facts } from './facts.tsx'

const roleNames: Record<ProcessCheck['roles'][number], string> = {
  collect: 'collects',
  judge: 'can lead',
  serve: 'serves pages',
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
  const { host, site, version, roles, leads, sources, waiting, startedAt, lastWord } = process
  return (
    <article
      aria-label={host}
      className="flex flex-col gap-2 border-t border-line px-4 py-3 first:border-t-0"
    >
      <h3 className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm font-semibold">
        <span className="min-w-0 break-all">{host}</span>
        {leads && <span className="text-xs font-medium text-green">Leads</span>}
      </h3>
      <Facts
        facts={[
          { label: 'Site', value: site },
          { label: 'Roles', value: roles.map((role) => roleNames[role]).join(', ') },
          { label: 'Version', value: version },
          { label: 'Sources', value: formatNumber(sources) },
          ...(waiting > 0 ? [{ label: 'Messages waiting', value: formatNumber(waiting) }] : []),
          { label: 'Started', value: <When time={startedAt} inline="ago" /> },
          { label: 'Last word', value: <When time={lastWord} inline="ago" /> },
        ]}
      />
    </article>
  )
}

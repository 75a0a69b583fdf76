import { Container, EyeOff, Plus } from 'lucide-react'
import { useLive } from '../../live/use-live.ts'
import { NoneYet, NothingFound, NotConfigured } from '../../parts/live-page/nothing.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'

const settings = '/settings/docker'

export const AddHost = ({ primary = false, className }: { primary?: boolean; className?: string }) => (
  <Link to={settings} className={cx(buttonClass(primary ? 'primary' : 'secondary'), className)}>
    <Plus aria-hidden size={14} />
    Add Host
  </Link>
)

/** Shown without any visible host: none has reported, or all are hidden. */
export function NoHosts() {
  const hidden = useLive(['dockerHosts'], (live) => live.records('dockerHosts').size)
  return (
    <Card>
      {hidden > 0 ? (
        <NotConfigured
          icon={<EyeOff size={24} />}
          title={hidden === 1 ? 'The only Docker host is hidden' : 'All Docker hosts are hidden'}
          to={settings}
        >
          {hidden === 1 ? 'It still reports' : 'They still report'}. Show hidden hosts again in the settings.
        </NotConfigured>
      ) : (
        <NoneYet
          icon={<Container size={24} />}
          title="No Docker hosts configured"
          action={<AddHost primary />}
        >
          Run the agent on a Docker or Podman host: its containers appear here with the first report.
        </NoneYet>
      )}
    </Card>
  )
}

interface NoContainersProps {
  search: string
  /** name of the only host shown */
  host: string | undefined
  /** search terms that cannot match anything */
  problem: string | undefined
  onReset: () => void
  /** undefined while all hosts are shown */
  onShowAll: (() => void) | undefined
}

export function NoContainers({ search, host, problem, onReset, onShowAll }: NoContainersProps) {
  if (!search) {
    return (
      <EmptyState
        icon={<Container size={24} />}
        title={host === undefined ? 'No containers' : `No containers on ${host}`}
        action={onShowAll && <Button onClick={onShowAll}>Show all hosts</Button>}
      >
        {host === undefined ? 'No host reports a container.' : 'This host reports no container.'}
      </EmptyState>
    )
  }
  return (
    <NothingFound title="No containers found" problem={problem} onReset={onReset}>
      <p>
        No containers match your search "{search}"{host !== undefined && ` on ${host}`}
      </p>
    </NothingFound>
  )
}

import type { VersionInfo } from '@pulse/contract'
import { formatClock } from '../lib/format.ts'
import { useConnection } from '../live/use-live.ts'

export function Footer({ version }: { version: VersionInfo | undefined }) {
  return (
    <footer className="frame figures mt-auto flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-xs text-ink-3">
      <span>{version ? `Pulse ${versionText(version)}` : 'Pulse'}</span>
      <LastRefresh />
    </footer>
  )
}

export function versionText({ version, isDevelopment, isDocker }: VersionInfo): string {
  return [`v${version}`, isDevelopment && '(Development)', isDocker && '- Docker'].filter(Boolean).join(' ')
}

function LastRefresh() {
  const lastUpdate = useConnection((connection) => connection.lastUpdate)
  return <span>{lastUpdate === undefined ? '' : `Last refresh: ${formatClock(lastUpdate)}`}</span>
}

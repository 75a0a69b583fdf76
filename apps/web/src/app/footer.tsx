import type { VersionInfo } from '@pulse/contract'
import { formatClock } from '../lib/format.ts'
import { useConnection } from '../live/use-live.ts'
import { useLastAnswer } from './use-last-answer.ts'

/** Shows itself together with the first content, so that it is never pushed away in sight. */
export function Footer({ version }: { version: VersionInfo | undefined }) {
  const settled = useConnection(
    ({ status, initialDataReceived }) => initialDataReceived || !['connecting', 'connected'].includes(status),
  )
  return (
    <footer
      data-settled={settled}
      className="frame figures mt-auto flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-xs text-ink-3 data-[settled=false]:invisible"
    >
      <span>{version ? `Pulse ${versionText(version)}` : 'Pulse'}</span>
      <LastRefresh />
    </footer>
  )
}

export function versionText({ version, isDevelopment, isDocker }: VersionInfo): string {
  return [`v${version}`, isDevelopment && '(Development)', isDocker && '- Docker'].filter(Boolean).join(' ')
}

/**
 * Of any source: what our own server sends besides says nothing about how fresh the figures are.
 * The attribute carries the same moment for whoever measures delays.
 */
function LastRefresh() {
  const newest = useLastAnswer()
  return (
    <span data-last-answer={newest}>
      {newest === undefined ? '' : `Last refresh: ${formatClock(newest)}`}
    </span>
  )
}

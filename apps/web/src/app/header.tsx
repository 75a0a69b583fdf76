import type { VersionInfo } from '@pulse/contract'
import { Badge } from '../ui/badge.tsx'
import { ConnectionIndicator } from './connection-indicator.tsx'
import { LiveLogo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

/** The name keeps room for the badge, so that nothing moves when the version arrives. One line; on narrow screens the tabs get a second one. */
export function Header({ version }: { version: VersionInfo | undefined }) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="frame flex flex-wrap items-center gap-x-3 sm:h-12 sm:flex-nowrap">
        <div className="flex h-12 min-w-[7.5rem] items-center gap-2">
          <LiveLogo />
          <span className="text-base font-semibold tracking-tight">Pulse</span>
          {version?.channel === 'rc' && <Badge tone="orange">RC</Badge>}
        </div>
        <div className="order-last w-full min-w-0 sm:order-none sm:ml-3 sm:w-auto sm:flex-1">
          <Navigation updateAvailable={version?.updateAvailable === true} />
        </div>
        <div className="ml-auto flex items-center gap-2">
          <ConnectionIndicator />
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}

import type { VersionInfo } from '@pulse/contract'
import { Badge } from '../ui/badge.tsx'
import { ConnectionIndicator } from './connection-indicator.tsx'
import { HeaderUser } from './header-user.tsx'
import { LiveLogo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

interface HeaderProps {
  version: VersionInfo | undefined
  updateAvailable: boolean
}

/** The name keeps room for the badge, so that nothing moves when the version arrives. One line; on narrow screens the tabs get a second one. */
export function Header({ version, updateAvailable }: HeaderProps) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="frame flex flex-wrap items-center gap-x-1 lg:h-12 lg:flex-nowrap lg:gap-x-3">
        <div className="flex h-12 min-w-28 sm:min-w-[7.5rem] items-center gap-2">
          <LiveLogo />
          <span className="text-base font-semibold tracking-tight">Pulse</span>
          {version?.channel === 'rc' && <Badge tone="orange">RC</Badge>}
        </div>
        <div className="order-last w-full min-w-0 lg:order-none lg:ml-3 lg:w-auto lg:flex-1">
          <Navigation updateAvailable={updateAvailable} />
        </div>
        <div className="ml-auto flex min-w-0 items-center gap-0.5 sm:gap-2">
          <ConnectionIndicator />
          <HeaderUser />
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}
